"""The arithmetic that LLVM leaves to the Cortex-M port, against Python's, and its functions on bytes of memory.

Cortex-M0 has no division and no product of more than 32 bits; the others run the same program with instructions.
"""

from __future__ import annotations

import pytest

from lfc.boards.emulators.emulate import emulate
from lfc.toolchain.elf import read_symbols
from tests.boards.conftest import BuildC
from tests.boards.cortexm import emulated
from tests.boards.ports import arithmetic as common

HELPERS = {"__aeabi_uidivmod", "__aeabi_idivmod", "__aeabi_lmul"}
EDGES = ", ".join(f"{e}u" for e in common.EDGES)


@pytest.mark.parametrize(("name", "wanted"), [("microbit", HELPERS), ("netduinoplus2", set())])
def test_arithmetic(build_c_for: BuildC, name: str, wanted: set[str]) -> None:
    image = build_c_for(emulated(name), common.PROGRAM % (EDGES, common.RANDOM_PAIRS))
    assert HELPERS & read_symbols(image.elf).keys() == wanted
    outcome = emulate(emulated(name), image.elf, "qemu")
    assert outcome.end == "halted"
    assert outcome.console == common.expected_output()


PRODUCTS = """
static uint64_t state = 88172645463325252u;
static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}
static void put(uint64_t value)
{
    for (uint32_t k = 0; k < 8; k++) {
        lf_port_console_write((uint8_t)value);
        value >>= 8;
    }
}
void lf_main(void)
{
    for (uint32_t i = 0; i < 1000; i++) {
        volatile uint64_t a = next(), b = next();
        put(a * b);
        put(a << (b & 63));
        put(a >> (b & 63));
        put((uint64_t)((int64_t)a >> (b & 63)));
    }
    lf_port_halt();
}
"""


def test_products_and_shifts_of_64_bits(build_c_for: BuildC) -> None:
    image = build_c_for(emulated("microbit"), PRODUCTS)
    wanted = {"__aeabi_lmul", "__aeabi_llsl", "__aeabi_llsr", "__aeabi_lasr"}
    assert wanted <= read_symbols(image.elf).keys()
    mask, state = (1 << 64) - 1, 88172645463325252

    def generate() -> int:
        nonlocal state
        state = (state ^ state << 13) & mask
        state ^= state >> 7
        state = (state ^ state << 17) & mask
        return state

    expected = b""
    for _ in range(1000):
        a, b = generate(), generate()
        negative = a - (a >> 63 << 64)
        for result in (a * b, a << b % 64, a >> b % 64, negative >> b % 64):
            expected += (result & mask).to_bytes(8, "little")
    assert emulate(emulated("microbit"), image.elf, "qemu").console == expected


# Each function, with every distance from a word's begin of both sides and several lengths; what lies around stays.
MEMORY = """
void __aeabi_memcpy(void *, const void *, uint32_t);
void __aeabi_memmove(void *, const void *, uint32_t);
void __aeabi_memset(void *, uint32_t, int);
void __aeabi_memclr(void *, uint32_t);
int memcmp(const void *, const void *, uint32_t);
void *memcpy(void *, const void *, uint32_t);
void *memset(void *, int, uint32_t);
static const uint8_t lengths[] = {0, 1, 3, 4, 5, 11, 16};
uint8_t lf_memory[40] __attribute__((aligned(4)));
static uint8_t other[24] __attribute__((aligned(4)));
static void fill(void)
{
    for (volatile uint8_t i = 0; i < 40; i++) lf_memory[i] = (uint8_t)(100 + i);
    for (volatile uint8_t i = 0; i < 24; i++) other[i] = i;
}
static void put(void)
{
    for (volatile uint8_t i = 0; i < 40; i++) lf_port_console_write(lf_memory[i]);
    fill();
}
static void check(bool right)
{
    lf_port_console_write(right ? '+' : '-');
}
void lf_main(void)
{
    fill();
    for (uint32_t l = 0; l < sizeof lengths; l++)
        for (uint32_t to = 0; to < 4; to++) {
            volatile uint32_t n = lengths[l];
            for (uint32_t from = 0; from < 4; from++) {
                __aeabi_memcpy(lf_memory + 8 + to, other + from, n);
                put();
                __aeabi_memmove(lf_memory + 8 + to, lf_memory + 8 + from, n);
                put();
                check(memcpy(lf_memory + to, other + from, n) == lf_memory + to);
                check(memcmp(lf_memory + to, other + from, n) == 0);
                other[from + n] = 1;
                lf_memory[to + n] = 200;
                check(memcmp(lf_memory + to, other + from, n + 1) > 0);
                check(memcmp(other + from, lf_memory + to, n + 1) < 0);
                fill();
            }
            __aeabi_memset(lf_memory + 8 + to, n, 0x7A5);
            put();
            __aeabi_memclr(lf_memory + 8 + to, n);
            put();
            check(memset(lf_memory + 8 + to, 9, n) == lf_memory + 8 + to);
            put();
        }
    lf_port_halt();
}
"""


def test_bytes_of_memory(build_c_for: BuildC) -> None:
    board = emulated("microbit")
    image = build_c_for(board, MEMORY, ["lf_memory"])
    assert {"__aeabi_memcpy", "__aeabi_memmove", "__aeabi_memset"} <= read_symbols(image.elf).keys()
    expected = b""
    before = bytes(range(100, 140))
    for n in (0, 1, 3, 4, 5, 11, 16):
        for to in range(8, 12):
            for at in range(4):
                expected += before[:to] + bytes(range(at, at + n)) + before[to + n :]
                expected += before[:to] + before[8 + at : 8 + at + n] + before[to + n :] + b"++++"
            for filled in (b"\xa5", b"\0"):
                expected += before[:to] + filled * n + before[to + n :]
            expected += b"+" + before[:to] + b"\x09" * n + before[to + n :]
    assert emulate(board, image.elf, "qemu").console == expected

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
from tests.boards.ports.c_programs import MEMORY, bytes_after_memory_functions

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


def test_bytes_of_memory(build_c_for: BuildC) -> None:
    board = emulated("microbit")
    image = build_c_for(board, MEMORY, ["lf_memory"])
    assert {"__aeabi_memcpy", "__aeabi_memmove", "__aeabi_memset"} <= read_symbols(image.elf).keys()
    assert emulate(board, image.elf, "qemu").console == bytes_after_memory_functions()

"""The arithmetic that LLVM leaves to the AVR port, against Python's: products, divisions, overflow, bytes of memory."""

from __future__ import annotations

import struct

import pytest

from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.emulate import emulate
from tests.boards.conftest import BuildC
from tests.campaign.on_boards import compare

# Every pair of these, then pairs from a generator that program and test share.
EDGES = [0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0xB504, 0xB505, 0x7FFFFFFF]
EDGES += [0x80000000, 0x80000001, 0xFFFF8000, 0xFFFFFF80, 0xFFFFFFFE, 0xFFFFFFFF]
RANDOM_PAIRS = 150

PROGRAM = """
static const uint32_t edges[] = {%s};
#define EDGES (sizeof edges / sizeof edges[0])
static uint32_t state = 1;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state >> (state & 31);
}

static void put(uint32_t value, uint8_t size)
{
    for (; size; size--, value >>= 8)
        lf_port_console_write((uint8_t)value);
}

#define OPERATIONS(signed_type, unsigned_type, lowest, size) \\
    { \\
        volatile unsigned_type va = (unsigned_type)a, vb = (unsigned_type)b; \\
        unsigned_type ua = va, ub = vb; \\
        signed_type sa = (signed_type)ua, sb = (signed_type)ub, product; \\
        bool over = __builtin_mul_overflow(sa, sb, &product); \\
        put((unsigned_type)(ua * (uint32_t)ub), size); \\
        put((unsigned_type)product, size); \\
        put(over, 1); \\
        if (ub != 0) { \\
            put(ua / ub, size); \\
            put(ua %% ub, size); \\
            if (sa != lowest || sb != -1) { \\
                put((unsigned_type)(sa / sb), size); \\
                put((unsigned_type)(sa %% sb), size); \\
            } \\
        } \\
    }

static void calculate(uint32_t a, uint32_t b)
{
    OPERATIONS(int32_t, uint32_t, INT32_MIN, 4)
    OPERATIONS(int16_t, uint16_t, INT16_MIN, 2)
    OPERATIONS(int8_t, uint8_t, INT8_MIN, 1)
}

void lf_main(void)
{
    for (uint8_t i = 0; i < EDGES; i++)
        for (uint8_t j = 0; j < EDGES; j++)
            calculate(edges[i], edges[j]);
    for (uint8_t i = 0; i < %d; i++) {
        uint32_t a = next();
        calculate(a, next());
    }
    lf_port_halt();
}
"""


def expected_output() -> bytes:
    pairs = [(a, b) for a in EDGES for b in EDGES]
    state = 1

    def generate() -> int:
        nonlocal state
        state = (state ^ state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state = (state ^ state << 5) & 0xFFFFFFFF
        return state >> (state & 31)

    for _ in range(RANDOM_PAIRS):
        a = generate()
        pairs.append((a, generate()))
    return b"".join(expected_for(a, b, bits) for a, b in pairs for bits in (32, 16, 8))


def expected_for(a: int, b: int, bits: int) -> bytes:
    mask, lowest = (1 << bits) - 1, -(1 << bits - 1)
    ua, ub = a & mask, b & mask
    sa, sb = (v - (v >> bits - 1 << bits) for v in (ua, ub))

    def put(value: int) -> bytes:
        return (value & mask).to_bytes(bits // 8, "little")

    output = put(ua * ub) + put(sa * sb) + bytes([not lowest <= sa * sb < -lowest])
    if ub:
        output += put(ua // ub) + put(ua % ub)
        if sa != lowest or sb != -1:
            quotient = abs(sa) // abs(sb) * (1 if (sa < 0) == (sb < 0) else -1)  # C's: towards zero
            output += put(quotient) + put(sa - quotient * sb)
    return output


@pytest.mark.parametrize("emulator", ["simavr", "qemu"])
def test_arithmetic(uno: Board, build_c: BuildC, emulator: str) -> None:
    image = build_c(PROGRAM % (", ".join(f"{e}u" for e in EDGES).replace("u", "UL"), RANDOM_PAIRS))
    outcome = emulate(uno, image.elf, emulator)
    assert outcome.end == "halted"
    assert outcome.console == expected_output()


MEMORY = """
static volatile uint16_t sizes[] = {0, 1, 5, 300};
uint8_t lf_memory[4][310];
uint8_t order[3];
void lf_main(void)
{
    for (uint8_t i = 0; i < 4; i++) {
        uint16_t n = sizes[i];
        for (uint16_t k = 0; k < 310; k++)
            lf_memory[i][k] = (uint8_t)(k + i);
        switch (i) {
        case 0: __builtin_memset(&lf_memory[i][3], 9, n); break;
        case 1: __builtin_memset(&lf_memory[i][3], 9, n); break;
        case 2: __builtin_memmove(&lf_memory[i][2], &lf_memory[i][0], n); break;
        default: __builtin_memmove(&lf_memory[i][0], &lf_memory[i][2], n);
        }
    }
    uint16_t n = sizes[2];
    __builtin_memcpy(&lf_memory[0][100], &lf_memory[3][7], n);
    order[0] = __builtin_memcmp(&lf_memory[0][10], &lf_memory[0][11], n) < 0;
    order[1] = __builtin_memcmp(&lf_memory[0][11], &lf_memory[0][10], n) > 0;
    order[2] = __builtin_memcmp(&lf_memory[0][100], &lf_memory[3][7], n) == 0;
    lf_port_halt();
}
"""


def test_bytes_of_memory(uno: Board, build_c: BuildC) -> None:
    image = build_c(MEMORY, ["lf_memory", "order"])
    rows = [bytearray((k + i) % 256 for k in range(310)) for i in range(4)]
    rows[1][3:4] = [9]
    rows[2][2:7] = rows[2][0:5]
    rows[3][0:300] = rows[3][2:302]
    rows[0][100:105] = rows[3][7:12]
    outcome = emulate(uno, image.elf, "simavr", symbols=["lf_memory", "order"])
    assert outcome.memory["lf_memory"] == b"".join(rows)
    assert struct.unpack("3B", outcome.memory["order"]) == (1, 1, 1)


# What C always does with more bits: division of bytes with a sign.
BYTES = """MODULE Bytes;
IMPORT Out;
VAR a, b : ARRAY 9 OF INT8; i, j : INTEGER; x, y : INT8;
BEGIN
  a[0] := 0; a[1] := 1; a[2] := 2; a[3] := 7; a[4] := 127; a[5] := -1; a[6] := -7; a[7] := -127; a[8] := -128;
  b := a;
  FOR i := 0 TO 8 DO
    FOR j := 1 TO 8 DO
      x := a[i]; y := b[j];
      IF (i # 8) OR (j # 5) THEN Out.Int(x DIV y); Out.Char(" "); Out.Int(x MOD y); Out.Ln END;
      RESCHEDULE
    END
  END
END Bytes.
"""


def test_bytes_with_a_sign() -> None:
    end, difference = compare(load_board("uno"), "simavr", BYTES)
    assert (end, difference) == ("ended", None)

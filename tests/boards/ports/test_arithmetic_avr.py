"""The arithmetic that LLVM leaves to the AVR port, against Python's: products, divisions, overflow, bytes of memory."""

from __future__ import annotations

import struct

import pytest

from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.emulate import emulate
from tests.boards.conftest import BuildC
from tests.boards.ports.arithmetic import EDGES, PROGRAM, RANDOM_PAIRS, expected_output
from tests.campaign.boards.on_boards import compare


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

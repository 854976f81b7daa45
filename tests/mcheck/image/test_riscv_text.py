"""RISC-V instructions as text: an assembler makes the same bytes of it again, of every form and of all compressed ones;
and the registers of an instruction are those that the core reads and writes."""

from __future__ import annotations

import random
import re
from pathlib import Path

from lfc.isa.abi import RiscvStop as Stop
from lfc.isa.riscv.code import FORM, ILLEGAL, TABLE, Instruction, decode, decode_word
from lfc.isa.riscv.core import READ, WRITE, RiscvCore
from lfc.isa.riscv.memory_map import CORES
from lfc.isa.riscv.text import instruction_text
from lfc.toolchain.elf import read_section
from lfc.toolchain.run_tools import run_tool

EACH = 12
TWICE = (0x0141, 0x1101, 0x1141)


def assembled(lines: list[str], folder: Path, option: str) -> bytes:
    (folder / "code.s").write_text("\n".join([f".option {option}", ".option norelax", ".text", *lines, ""]))
    arguments = ["-target", "riscv32-freestanding-none", "-mcpu=sifive_e31", "-c", "code.s", "-o", "code.o"]
    run_tool("cc", arguments, folder, "the text cannot be assembled")
    return read_section((folder / "code.o").read_bytes(), ".text")


def words(seed: int) -> list[int]:
    """Some of every form."""
    rng = random.Random(seed)
    found = []
    for row in TABLE:
        for _ in range(EACH):
            w = rng.getrandbits(32) & ~row.mask | row.match
            if row.form in "CZ":
                w = w & 0xFFFFF | rng.choice([0x300, 0x304, 0x305, 0x340, 0x341, 0x342]) << 20
            elif row.name == "fence":
                w = w & ~0xF00F8F80 | 0x01100000
            elif row.name == "fence.i":
                w = row.match
            found.append(w)
    return found


def test_an_assembler_makes_the_same_of_the_text(tmp_path: Path) -> None:
    given = words(1)
    lines = [instruction_text(decode_word(w)) for w in given]
    made = assembled(lines, tmp_path, "norvc")
    again = [int.from_bytes(made[i : i + 4], "little") for i in range(0, len(made), 4)]
    assert [(t, hex(w)) for t, w in zip(lines, again, strict=True)] == [
        (t, hex(w)) for t, w in zip(lines, given, strict=True)
    ]


def test_an_assembler_makes_the_same_of_compressed_ones(tmp_path: Path) -> None:
    """Without those that change nothing, which it does not write so."""
    kept = []
    for w in range(0x10000):
        i = decode(w.to_bytes(2, "little"), 0) if w & 3 != 3 else Instruction(ILLEGAL, 2)
        is_hint = i.name in ("addi", "add", "lui", "slli") and not i.rd
        is_hint |= i.name in ("srli", "srai", "slli") and not i.imm
        if i.name != ILLEGAL and not is_hint and not (i.name == "addi" and not i.imm and i.rs1):
            kept.append((w, short(instruction_text(i))))
    assert len(kept) > 25_000
    made = assembled([t for _, t in kept], tmp_path, "rvc")
    assert len(made) == 2 * len(kept)
    again = [int.from_bytes(made[i : i + 2], "little") for i in range(0, len(made), 2)]
    # Three amounts that the stack pointer grows or shrinks by have two codes.
    wrong = [(t, hex(w), hex(a)) for (w, t), a in zip(kept, again, strict=True) if w != a and a not in TWICE]
    assert not wrong


def short(text: str) -> str:
    """Jumps over a way that an assembler does not shorten by itself."""
    for long, named in (("jal zero,", "c.j"), ("jal ra,", "c.jal")):
        text = text.replace(long, named)
    return re.sub(r"^b(eq|ne) (\w+), zero,", lambda m: f"c.b{m[1]}z {m[2]},", text)


def test_a_register_that_is_not_named_does_not_matter() -> None:
    """The core executes each twice, with other values in the registers that it is not said to read: those that it is
    not said to write stay, and the others end the same."""
    rng = random.Random(2)
    compressed = [w for w in rng.sample(range(0x10000), 3000) if w & 3 != 3]
    tried = 0
    for w in [*words(3), *compressed]:
        i = decode(w.to_bytes(4, "little"), 0)
        if i.name == ILLEGAL or FORM[i.name] in "CZN":
            continue
        first, second = [rng.getrandbits(12) & ~3 for _ in range(32)], [rng.getrandbits(12) & ~3 for _ in range(32)]
        if i.rs1 and FORM[i.name] in "LSA":
            first[i.rs1] = 0x20000800
        second = [a if r in i.reads else b for r, (a, b) in enumerate(zip(first, second, strict=True))]
        ends = [end for registers in (first, second) if (end := end_of(w, registers)) is not None]
        if len(ends) < 2:
            continue
        tried += 1
        for before, after in zip((first, second), ends, strict=True):
            assert all(after[r] == before[r] for r in range(1, 32) if r not in i.writes), instruction_text(i)
        assert all(ends[0][r] == ends[1][r] for r in i.writes), instruction_text(i)
    assert tried > 1000


def end_of(w: int, registers: list[int]) -> list[int] | None:
    """None: the access has no place."""
    core = RiscvCore(CORES["fe310"], 0x1000, w.to_bytes(4, "little"), [(0x20000000, 0x1000)])
    core.allow(0x20000000, 0x1000, READ | WRITE)
    core.reset()
    for r in range(1, 32):
        core.state.x[r] = registers[r]
    return [int(v) for v in core.state.x] if core.step() is Stop.RUNS else None

"""What an instruction looks at and sets, as said, is what the simulated core looks at and sets."""

from __future__ import annotations

import random

from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.thumb.core import PC, READ, SP, WRITE, ThumbCore
from lfc.isa.thumb.registers import NZ, C, V, registers_of
from tests.support.seeds import seed_of_this_run

RAM, FLASH, AT = 0x20000000, 0x08000000, 64
COUNT = 8_000
SPECIAL = 0xF3808800  # MSR: may exchange stack pointers; everything is said to matter
WIDE = [
    (0xFE008000, 0xEA000000), (0xFA008000, 0xF0000000), (0xFA008000, 0xF2000000), (0xFE402000, 0xE8000000),
    (0xFF400000, 0xE9400000), (0xFE800000, 0xF8800000), (0xFE800800, 0xF8000800), (0xFE800FC0, 0xF8000000),
    (0xFF80F0F0, 0xFA00F000), (0xFF80F080, 0xFA00F080), (0xFF80F080, 0xFA80F000), (0xFF80F080, 0xFA80F080),
    (0xFF8000C0, 0xFB000000), (0xFF800000, 0xFB800000), (0xF8008000, 0xF0008000), (0xFFF0FFE0, SPECIAL),
    (0xFFFFF0E0, 0xF3EF8000), (0xFFF0FFE0, 0xE8D0F000), (0xFFE00000, 0xE8400000),
]  # fmt: skip


def some_instruction(numbers: random.Random) -> bytes:
    if numbers.random() < 0.5:
        word = numbers.randrange(0xE800)
        return word.to_bytes(2, "little") + b"\0\xbf"
    mask, value = numbers.choice(WIDE)
    word = numbers.getrandbits(32) & ~mask | value
    return (word >> 16).to_bytes(2, "little") + (word & 0xFFFF).to_bytes(2, "little")


def some_registers(numbers: random.Random) -> list[int]:
    found = []
    for _ in range(15):
        kind = numbers.random()
        found.append(
            RAM + 200 + 4 * numbers.randrange(100)
            if kind < 0.6
            else numbers.randrange(64)
            if kind < 0.8
            else numbers.getrandbits(32)
        )
    found[SP] = RAM + 400 + 4 * numbers.randrange(20)
    return found


def test_what_is_not_looked_at_changes_nothing_and_what_is_set_is_set_for_sure() -> None:
    """Each instruction runs twice: the second time, all that it is said not to look at is something else."""
    numbers = random.Random(seed_of_this_run())
    core = ThumbCore(3, FLASH, bytes(256), [(RAM, 1024)])
    core.allow(RAM, 1024, READ | WRITE)
    state, compared = core.state, 0
    for _ in range(COUNT):
        code = some_instruction(numbers)
        if code[1] == 0xBF and code[0] & 15:  # IT
            continue
        core.put(FLASH + AT, code)
        uses, defines = registers_of(code + bytes(4), 0)
        registers, flags, memory = some_registers(numbers), numbers.randrange(16) << 28, numbers.randbytes(1024)
        ends = []
        for changed in (False, True):
            core.put(RAM, memory)
            before = list(registers)
            if changed:
                before = [v if uses >> r & 1 else v ^ numbers.getrandbits(32) & ~3 for r, v in enumerate(before)]
                if not uses >> SP & 1:
                    before[SP] = RAM + 600
                unused = sum(m for f, m in ((NZ, 3 << 30), (C, 1 << 29), (V, 1 << 28)) if not uses & f)
                state.flags = flags ^ numbers.getrandbits(32) & unused
            else:
                state.flags = flags
            state.r[:] = [*before, FLASH + AT]
            state.it = state.control = state.other_sp = state.primask = state.basepri = state.faultmask = 0
            stop = core.step()
            ends.append((stop, list(state.r), state.flags, core.get(RAM, 1024), before))
        (stop, after, flags_after, memory_after, before), (other_stop, others, other_flags, other_memory, _) = ends
        said = f"{state.op:X} uses {uses:X} defines {defines:X}"
        assert stop is other_stop, said
        if stop is not Stop.RUNS:
            continue
        compared += 1
        assert memory_after == other_memory and after[PC] == others[PC], said
        for r in range(15):
            if defines >> r & 1:
                assert after[r] == others[r], f"{said}: r{r}"
            elif state.op & 0xFFF0FF00 != SPECIAL:
                assert after[r] == before[r], f"{said}: r{r}"
        for flag, mask in ((NZ, 3 << 30), (C, 1 << 29), (V, 1 << 28)):
            assert not defines & flag or not (flags_after ^ other_flags) & mask, said
    assert compared > COUNT // 4

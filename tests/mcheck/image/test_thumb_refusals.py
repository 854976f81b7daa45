"""What the simulated Cortex-M cores refuse, and how many cycles they count: what unicorn cannot tell."""

from __future__ import annotations

import pytest

from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.abi import ThumbWay as Way
from lfc.isa.thumb.core import LR, PC, READ, SP, STACK, WRITE, ThumbCore

RAM, FLASH, AT = 0x20000000, 0x08000000, 64
M0, M0PLUS, M3, M4 = range(4)
ALL, MAIN = (M0, M0PLUS, M3, M4), (M3, M4)
ALWAYS, LAST, NOT_LAST = 0, 0xE8, 0xE4  # states of an IT block


def core_with(kind: int, *halves: int, it: int = ALWAYS) -> ThumbCore:
    """Registers hold addresses in RAM; the halves are at `FLASH + AT`."""
    core = ThumbCore(kind, FLASH, bytes(256), [(RAM, 1024)])
    core.allow(RAM, 1024, READ | WRITE)
    core.put(FLASH + AT, b"".join(h.to_bytes(2, "little") for h in halves))
    core.state.r[:] = [RAM + 512] * 15 + [FLASH + AT]
    core.state.it = it
    return core


def stop_of(kind: int, *halves: int, it: int = ALWAYS) -> Stop:
    return core_with(kind, *halves, it=it).step()


ONLY_MAIN = {
    "IT": (0xBF08,),
    "CBZ": (0xB100,),
    "CBNZ": (0xB900,),
    "CPSID f": (0xB671,),
    "AND.W": (0xEA01, 0x0002),
    "MOVW": (0xF240, 0x0001),
    "SDIV": (0xFB91, 0xF0F2),
    "UMULL": (0xFBA1, 0x0203),
    "LDR.W": (0xF8D1, 0x0004),
    "LDRD": (0xE9D1, 0x0200),
    "PUSH.W": (0xE92D, 0x4010),
    "TBB": (0xE8DF, 0xF000),
    "B.W": (0xF000, 0xB800),
    "BEQ.W": (0xF000, 0x8000),
    "CLREX": (0xF3BF, 0x8F2F),
    "MRS BASEPRI": (0xF3EF, 0x8011),
    "NOP.W": (0xF3AF, 0x8000),
}
ONLY_M4 = {
    "SADD8": (0xFA81, 0xF002),
    "QADD": (0xFA82, 0xF081),
    "SEL": (0xFAA1, 0xF082),
    "SMLABB": (0xFB11, 0x3002),
    "UXTAB": (0xFA51, 0xF082),
    "PKHBT": (0xEAC1, 0x0002),
    "UMAAL": (0xFBE1, 0x0263),
    "SSAT16": (0xF321, 0x0003),
    "MSR APSR_g": (0xF380, 0x8400),
}


@pytest.mark.parametrize("name", ONLY_MAIN)
def test_the_smaller_cores_lack_it(name: str) -> None:
    assert {stop_of(kind, *ONLY_MAIN[name]) for kind in (M0, M0PLUS)} == {Stop.ILLEGAL}
    halves = (0xF04F, 0x0000) if name.startswith("TBB") else ONLY_MAIN[name]
    assert {stop_of(kind, *halves) for kind in MAIN} == {Stop.RUNS}


@pytest.mark.parametrize("name", ONLY_M4)
def test_only_the_m4_has_it(name: str) -> None:
    assert [stop_of(kind, *ONLY_M4[name]) for kind in ALL] == [Stop.ILLEGAL] * 3 + [Stop.RUNS]


UNPREDICTABLE = {
    "ADD pc, pc": (0x44FF,),
    "CMP of two low registers": (0x4500,),
    "BX with a bit that is 0": (0x4771,),
    "BX pc": (0x4778,),
    "BLX pc": (0x47F8,),
    "PUSH of nothing": (0xB400,),
    "POP of nothing": (0xBC00,),
    "STM of nothing": (0xC000,),
    "STM of its own base, not first": (0xC103,),
    "CPS of nothing": (0xB660,),
    "IT of a condition that is none": (0xBFF8,),
    "IT AL with an ELSE": (0xBFEC,),
    "UDF": (0xDE00,),
    "a hint that is none": (0xBF50,),
    "SETEND": (0xB650,),
    "REV of no kind": (0xBA80,),
    "coprocessor": (0xEE00, 0x0010),
    "floating point": (0xED91, 0x0A00),
    "BLX to ARM": (0xF000, 0xE800),
    "UDF.W": (0xF7F0, 0xA000),
    "AND with sp": (0xEA0D, 0x0002),
    "MOV.W sp, sp": (0xEA4F, 0x0D0D),
    "MOV.W pc": (0xEA4F, 0x0F00),
    "MOVW sp": (0xF240, 0x0D01),
    "a constant of zeros": (0xF04F, 0x1000),
    "BFI with its end before its begin": (0xF361, 0x00C2),
    "UBFX beyond the word": (0xF3C1, 0x70C8),
    "LDM.W of one": (0xE891, 0x0004),
    "LDM.W with sp": (0xE891, 0x2004),
    "LDM.W of lr and pc": (0xE891, 0xC000),
    "LDM.W! of its own base": (0xE8B1, 0x0006),
    "STM.W of pc": (0xE881, 0x8004),
    "LDRD twice into one": (0xE9D1, 0x0000),
    "LDRD! of its own base": (0xE9F1, 0x1200),
    "STRD of sp": (0xE9C1, 0xD200),
    "LDR! of its own base": (0xF851, 0x1F04),
    "LDRB into sp": (0xF891, 0xD000),
    "LDRT": (0xF851, 0x0E04),
    "STR.W to the literals": (0xF8CF, 0x0000),
    "STR.W of pc": (0xF8C1, 0xF000),
    "MUL with pc": (0xFB01, 0xFF02),
    "UMULL twice into one": (0xFBA1, 0x0003),
    "SDIV without ones": (0xFB91, 0x00F2),
    "REV.W of two registers": (0xFA91, 0xF082),
    "TBB with sp": (0xE8DD, 0xF000),
    "STREX into its own base": (0xE841, 0x0100),
    "MSR of nothing": (0xF380, 0x8000),
    "MSR of no register": (0xF380, 0x8804),
    "MRS into sp": (0xF3EF, 0x8D00),
    "DSB of another kind": (0xF3BF, 0x8F41),
}


@pytest.mark.parametrize("name", UNPREDICTABLE)
def test_what_the_architecture_leaves_open_is_illegal(name: str) -> None:
    assert {stop_of(kind, *UNPREDICTABLE[name]) for kind in ALL} == {Stop.ILLEGAL}


IN_BLOCKS = {
    "B": (0xE000,),
    "BX lr": (0x4770,),
    "BLX r0": (0x4780,),
    "POP {pc}": (0xBD00,),
    "MOV pc, lr": (0x46F7,),
    "BL": (0xF000, 0xF800),
    "B.W": (0xF000, 0xB800),
    "LDR pc": (0xF8D1, 0xF000),
    "LDM pc": (0xE891, 0x8001),
    "TBB": (0xE8D1, 0xF000),
}
NEVER_IN_BLOCKS = {
    "IT": (0xBF08,),
    "CBZ": (0xB100,),
    "CPSIE": (0xB662,),
    "BEQ": (0xD000,),
    "BEQ.W": (0xF000, 0x8000),
    "MOVS r0, r1": (0x0008,),
}


@pytest.mark.parametrize("name", IN_BLOCKS)
def test_jumps_end_a_block(name: str) -> None:
    def stop(it: int) -> Stop:
        core = core_with(M3, *IN_BLOCKS[name], it=it)
        core.state.r[LR] = core.state.r[0] = FLASH + 1
        core.put(RAM + 512, (FLASH + 1).to_bytes(4, "little") * 4)
        if name == "TBB":
            core.state.r[0] = 0
        return core.step()

    assert stop(LAST) is Stop.RUNS
    assert stop(NOT_LAST) is Stop.ILLEGAL


@pytest.mark.parametrize("name", NEVER_IN_BLOCKS)
def test_some_are_never_in_a_block(name: str) -> None:
    assert stop_of(M3, *NEVER_IN_BLOCKS[name]) is Stop.RUNS
    assert stop_of(M3, *NEVER_IN_BLOCKS[name], it=LAST) is Stop.ILLEGAL


def test_what_lies_across_words() -> None:
    def stop(kind: int, address: int, *halves: int) -> Stop:
        core = core_with(kind, *halves)
        core.state.r[1] = address
        return core.step()

    access: tuple[int, ...]
    for access in ((0x6808,), (0x6008,), (0x8808,), (0x8008,)):  # LDR, STR, LDRH, STRH r0, [r1]
        assert stop(M0, RAM + 513, *access) is Stop.UNALIGNED
        assert stop(M3, RAM + 513, *access) is Stop.RUNS
        assert stop(M3, 0x40000001, *access) is Stop.UNALIGNED  # devices
        assert stop(M3, 0xE000E001, *access) is Stop.UNALIGNED
    for access in ((0xC901,), (0xC101,), (0xE9D1, 0x0200), (0xE9C1, 0x0200), (0xE851, 0x0F00), (0xF8D1, 0xF000)):
        assert stop(M3, RAM + 514, *access) is Stop.UNALIGNED  # LDM, STM, LDRD, STRD, LDREX, LDR pc
    assert stop(M0, RAM + 513, 0x7808) is Stop.RUNS


def test_only_thumb_is_executed() -> None:
    for halves in ((0x4708,), (0x4788,), (0xBD00,)):  # BX r1, BLX r1, POP {pc}
        core = core_with(M3, *halves)
        core.state.r[1] = FLASH
        core.put(RAM + 512, FLASH.to_bytes(4, "little"))
        assert core.step() is Stop.NO_THUMB and core.state.where == FLASH
    assert stop_of(M0, 0xBE00) is Stop.BREAKS
    assert stop_of(M0, 0xDF00) is Stop.CALLS_SUPERVISOR
    assert stop_of(M0, 0xBF30) is Stop.SLEEPS
    core = core_with(M0, 0x4770)
    core.state.r[LR], core.state.ipsr = 0xFFFFFFF9, 16
    assert core.step() is Stop.LEAVES and core.state.where == 0xFFFFFFF9


def test_sev_ends_the_next_wfe() -> None:
    core = core_with(M0, 0xBF40, 0xBF20, 0xBF20)
    assert [core.step() for _ in range(3)] == [Stop.RUNS, Stop.RUNS, Stop.SLEEPS]


def test_an_exclusive_store_needs_its_load() -> None:
    core = core_with(M3, 0xE851, 0x2F00, 0xE841, 0x0300, 0xE841, 0x0400)  # LDREX r2; STREX r3; STREX r4
    core.put(RAM + 512, b"\1\2\3\4")
    assert [core.step() for _ in range(3)] == [Stop.RUNS] * 3
    assert core.state.r[2] == 0x04030201 and (core.state.r[3], core.state.r[4]) == (0, 1)
    assert core.get(RAM + 512, 4) == (RAM + 512).to_bytes(4, "little")


def test_what_is_on_the_stack() -> None:
    def stops(*halves: int) -> list[Stop]:
        core = core_with(M3, *halves)
        core.allow(RAM, 512, WRITE | STACK)
        core.state.lowest_stack = RAM + 512
        found = []
        while core.state.r[PC] < FLASH + AT + 2 * len(halves):
            found.append(core.step())
            if found[-1] is not Stop.RUNS:
                break
        return found

    assert stops(0xB403, 0x9801, 0xBC03) == [Stop.RUNS] * 3  # PUSH {r0, r1}; LDR r0, [sp, 4]; POP
    assert stops(0xB082, 0x9801) == [Stop.RUNS, Stop.BAD_LOAD]  # nobody has stored there
    assert stops(0xB403, 0xBC03, 0xB082, 0x9801) == [Stop.RUNS] * 3 + [Stop.BAD_LOAD]  # it is gone
    assert stops(0xB082, 0x9001, 0x9801) == [Stop.RUNS] * 3
    assert stops(0xF84D, 0x0C08) == [Stop.BAD_STORE]  # STR r0, [sp, -8]: below it
    assert stops(0xF84D, 0x0D08) == [Stop.RUNS]  # STR r0, [sp, -8]!


def cycles(kind: int, *halves: int, flags: int = 0, register: int | None = None) -> int:
    core = core_with(kind, *halves)
    core.state.flags = flags
    if register is not None:
        core.state.r[0] = core.state.r[LR] = register
    core.put(RAM + 512, (FLASH + 1).to_bytes(4, "little") * 8)
    assert core.step() is Stop.RUNS
    return int(core.state.cycles)


Z = 1 << 30
TAKES = {  # of the manuals: M0, M0+, M3, M4 (of these an upper bound)
    "ADDS": ((0x1840,), (1, 1, 1, 1)),
    "MULS": ((0x4348,), (1, 1, 1, 1)),
    "LDR": ((0x6808,), (2, 2, 2, 2)),
    "STRB": ((0x7008,), (2, 2, 2, 2)),
    "PUSH of 3": ((0xB503,), (4, 4, 4, 4)),
    "POP of 2": ((0xBC03,), (3, 3, 3, 3)),
    "POP of 2 and pc": ((0xBD03,), (7, 6, 7, 7)),
    "LDM of 3": ((0xC90D,), (4, 4, 4, 4)),
    "B": ((0xE000,), (3, 2, 4, 4)),
    "BNE, taken": ((0xD100,), (3, 2, 4, 4)),
    "BEQ, not taken": ((0xD000,), (1, 1, 1, 1)),
    "BL": ((0xF000, 0xF800), (4, 3, 4, 4)),
    "BX lr": ((0x4770,), (3, 2, 4, 4)),
    "BLX r0": ((0x4780,), (3, 2, 4, 4)),
    "MOV pc, r0": ((0x4687,), (3, 2, 4, 4)),
    "MRS": ((0xF3EF, 0x8000), (4, 3, 2, 2)),
    "MSR": ((0xF380, 0x8800), (4, 3, 2, 2)),
    "DSB": ((0xF3BF, 0x8F4F), (4, 3, 4, 4)),
    "CPSID": ((0xB672,), (1, 1, 1, 1)),
    "NOP": ((0xBF00,), (1, 1, 1, 1)),
}
TAKES_OF_MAIN = {
    "UMULL": ((0xFBA1, 0x2300), (5, 1)),
    "UMLAL": ((0xFBE1, 0x2300), (7, 1)),
    "MLA": ((0xFB01, 0x2003), (2, 2)),
    "UDIV": ((0xFBB1, 0xF0F2), (12, 12)),
    "LDRD": ((0xE9D1, 0x2300), (3, 3)),
    "IT": ((0xBF08,), (1, 1)),
}


@pytest.mark.parametrize("name", TAKES)
def test_cycles_are_those_of_the_manuals(name: str) -> None:
    halves, expected = TAKES[name]
    register = FLASH + 1 if name in ("BX lr", "BLX r0", "MOV pc, r0") else None
    assert tuple(cycles(kind, *halves, register=register) for kind in ALL) == expected


@pytest.mark.parametrize("name", TAKES_OF_MAIN)
def test_cycles_of_what_only_the_larger_cores_have(name: str) -> None:
    halves, expected = TAKES_OF_MAIN[name]
    assert tuple(cycles(kind, *halves) for kind in MAIN) == expected


def test_how_control_went_is_told() -> None:
    def way(*halves: int) -> Way:
        core = core_with(M3, *halves)
        core.state.r[0] = core.state.r[LR] = FLASH + 1
        core.put(RAM + 512, (FLASH + 1).to_bytes(4, "little") * 8)
        assert core.step() is Stop.RUNS
        return Way(core.state.went)

    expected = {
        (0x1840,): Way.WENT_ON,
        (0xE000,): Way.BRANCHED,
        (0xF000, 0xF800): Way.CALLED,
        (0x4780,): Way.CALLED_BY_POINTER,
        (0x4700,): Way.JUMPED,
        (0x4770,): Way.RETURNED,
        (0xBD00,): Way.RETURNED,
        (0x46F7,): Way.RETURNED,
        (0x4687,): Way.BY_TABLE,
        (0x4487,): Way.BY_TABLE,
        (0xF8D1, 0xF000): Way.JUMPED,
        (0xF85D, 0xFB04): Way.RETURNED,
    }
    assert {halves: way(*halves) for halves in expected} == expected


def test_a_push_of_the_stack_pointer_itself_does_not_exist() -> None:
    core = core_with(M3, 0xE92D, 0x2010)
    assert core.step() is Stop.ILLEGAL and core.state.r[SP] == RAM + 512


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("sp", [RAM + 512, RAM + 516])
def test_an_exception_comes_and_goes(kind: int, sp: int) -> None:
    """CPSID; CPSIE; ADDS r0, 1 before which it comes; the routine: PUSH {r4, lr}; MOVS r0, 7; POP {r4, pc}."""
    core = core_with(kind, 0xB672, 0xB662, 0x3001)
    state = core.state
    core.put(FLASH + 0x40 + 0x20, b"\x10\xb5\x07\x20\x10\xbd")
    core.put(FLASH + 4 * 15, (FLASH + 0x61).to_bytes(4, "little"))
    core.allow(RAM, 768, WRITE | STACK)
    state.r[:15] = [100 + i for i in range(13)] + [sp, 0x08000001]
    state.flags, state.waits, state.lowest_stack = 0xA0000000, 15, sp
    assert core.step() is Stop.RUNS and state.primask == 1
    assert core.step() is Stop.RUNS
    before = list(state.r[:15])
    assert core.run_to(FLASH + AT + 6, 1000) is Stop.INTERRUPTED
    assert core.enter(15, FLASH) is Stop.RUNS
    assert (state.ipsr, state.r[PC], state.r[LR]) == (15, FLASH + 0x60, 0xFFFFFFF9)
    frame = [int.from_bytes(core.get(state.r[SP] + 4 * i, 4), "little") for i in range(8)]
    padded = (sp & 4) << 7
    assert state.r[SP] % 8 == 0 and frame == [100, 101, 102, 103, 112, 0x08000001, FLASH + AT + 4, 0xA1000000 | padded]
    state.waits = 0
    assert core.run_to(FLASH + AT + 4, 1000) is Stop.AT_STOP
    assert state.ipsr == 0 and list(state.r[:15]) == before and state.flags == 0xA0000000
    assert core.step() is Stop.RUNS and state.r[0] == 101


def test_a_block_goes_on_after_an_exception() -> None:
    """ITT EQ; the exception; two that are executed only if Z is set."""
    core = core_with(M3, 0xBF04, 0x3001, 0x3001)
    core.put(FLASH + 0x60, b"\x70\x47")
    core.put(FLASH + 128 + 4 * 16, (FLASH + 0x61).to_bytes(4, "little"))
    core.state.flags, core.state.waits = Z, 0
    assert core.step() is Stop.RUNS and core.state.it
    assert core.enter(16, FLASH + 128) is Stop.RUNS and core.state.it == 0
    assert core.run_to(FLASH + AT + 2, 100) is Stop.AT_STOP and core.state.it != 0
    assert core.run_to(FLASH + AT + 6, 100) is Stop.AT_STOP and core.state.r[0] == RAM + 514

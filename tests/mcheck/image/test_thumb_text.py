"""Thumb code as text beside capstone: whatever the simulated core executes, and nothing that capstone does not know."""

from __future__ import annotations

import random
import re

import capstone

from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.thumb.core import READ, WRITE, ThumbCore
from lfc.isa.thumb.text import instruction_text
from tests.campaign.boards.thumb import SOURCE
from tests.support.seeds import seed_of_this_run

RAM, FLASH, AT = 0x20000000, 0x08000000, 64
FIRST_WIDE, WIDE_WORDS, SHARES = 0xE800, 5000, 4
NAMES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}
FORM = re.compile(r"(0x[0-9A-F]{8}), (0x[0-9A-F]{8})")


def alike(text: str) -> str:
    """Numbers as decimal ones of 32 bits; registers by number; without what says how wide an instruction is."""
    text = text.replace(".w", "").lower().replace(", #0]", "]")
    text = re.sub(r"\b([0-9a-f]+)h\b", lambda m: f"#{int(m[1], 16)}", text)
    text = re.sub(r"#(-?)0x([0-9a-f]+)", lambda m: f"#{m[1]}{int(m[2], 16)}", text)
    text = re.sub(r"#(-?\d+)", lambda m: f"#{int(m[1]) & 0xFFFFFFFF}", text)
    text = re.sub(r"\b(sb|sl|fp|ip)\b", lambda m: NAMES[m[1]], text)
    text = re.sub(r"^msr (\w*)_\w+,", r"msr \1,", text)
    text = re.sub(r"^add (\w+), sp, \1$", r"add \1, sp", text)
    text = re.sub(r"^addw (\w+), pc, ", r"adr \1, ", text)
    return re.sub(r"^subw (\w+), pc, #(\d+)$", lambda m: f"adr {m[1]}, #{-int(m[2]) & 0xFFFFFFFF}", text)


def test_what_the_core_executes_is_written_as_capstone_writes_it() -> None:
    numbers = random.Random(seed_of_this_run())
    forms = [(int(m[1], 16), int(m[2], 16)) for m in FORM.finditer(SOURCE.read_text())]
    assert len(forms) > 25
    words = [w << 16 | 0xBF00 for w in range(seed_of_this_run() % SHARES, FIRST_WIDE, SHARES)]
    for _ in range(WIDE_WORDS):
        mask, value = numbers.choice(forms)
        word = numbers.getrandbits(32) & ~mask & 0xFFFFFFFF | value
        if word >> 16 >= FIRST_WIDE:
            words.append(word)
    core = ThumbCore(4, FLASH, bytes(256), [(RAM, 1024)])
    core.allow(RAM, 1024, READ | WRITE)
    state, known, compared = (
        core.state,
        capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS | capstone.CS_MODE_V8),
        0,
    )
    for word in words:
        code = (word >> 16).to_bytes(2, "little") + (word & 0xFFFF).to_bytes(2, "little")
        core.put(FLASH + AT, code)
        state.r[:] = [RAM + 512] * 15 + [FLASH + AT]
        state.it = state.control = 0
        if core.step() is Stop.ILLEGAL:
            continue
        text = instruction_text(bytes(AT) + code, AT, FLASH)
        theirs = next(known.disasm(code, FLASH + AT), None)
        assert theirs is not None, f"{word:08X} {text}"
        assert alike(text) == alike(f"{theirs.mnemonic} {theirs.op_str}".strip()), f"{word:08X}"
        compared += 1
    assert compared > 12_000


def test_what_is_no_instruction_is_written_as_its_words() -> None:
    assert instruction_text(b"\x10\xec\x00\x00", 0) == ".word EC10H, 0000H"
    assert instruction_text(b"\x40\xba", 0) == "rev16 r0, r0"
    assert instruction_text(b"\x80\xba", 0) == ".word BA80H"
    assert instruction_text(b"\x70\x47", 0) == "bx lr"
    assert instruction_text(b"\xff\xf7\xfe\xff", 0, 0x100) == "bl 100H"

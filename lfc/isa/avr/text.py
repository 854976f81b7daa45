"""AVR machine code as text, as its manual writes it."""

from __future__ import annotations

TWO_REGISTERS = {
    1: "cpc",
    2: "sbc",
    3: "add",
    4: "cpse",
    5: "cp",
    6: "sub",
    7: "adc",
    8: "and",
    9: "eor",
    10: "or",
    11: "mov",
}
CONSTANT = {3: "cpi", 4: "sbci", 5: "subi", 6: "ori", 7: "andi", 14: "ldi"}
ONE_REGISTER = {0: "com", 1: "neg", 2: "swap", 3: "inc", 5: "asr", 6: "lsr", 7: "ror", 10: "dec"}
SET = ("brcs", "breq", "brmi", "brvs", "brlt", "brhs", "brts", "brie")
CLEARED = ("brcc", "brne", "brpl", "brvc", "brge", "brhc", "brtc", "brid")
FLAGS = "cznvshti"
ALONE = {
    0x9409: "ijmp", 0x9419: "eijmp", 0x9509: "icall", 0x9519: "eicall", 0x9508: "ret", 0x9518: "reti",
    0x9588: "sleep", 0x9598: "break", 0x95A8: "wdr", 0x95C8: "lpm", 0x95D8: "elpm", 0x95E8: "spm", 0x0000: "nop",
}  # fmt: skip
POINTERS = {1: "Z+", 2: "-Z", 9: "Y+", 10: "-Y", 12: "X", 13: "X+", 14: "-X"}
FROM_FLASH = {4: ("lpm", "Z"), 5: ("lpm", "Z+"), 6: ("elpm", "Z"), 7: ("elpm", "Z+")}
MULTIPLIES = {0x00: "mulsu", 0x08: "fmul", 0x80: "fmuls", 0x88: "fmulsu"}
BITS_OF_PORTS = ("cbi", "sbic", "sbi", "sbis")
BITS_OF_REGISTERS = ("bld", "bst", "sbrc", "sbrs")


def instruction_text(flash: bytes, at: int) -> str:
    """Of the one at the byte address `at`."""

    def word(address: int) -> int:
        return int.from_bytes(flash[address : address + 2].ljust(2, b"\xff"), "little")

    w = word(at)
    return _alone(w) or _memory(w, word(at + 2)) or _flow(w, word(at + 2), at) or _arithmetic(w) or f".word {w:04X}H"


def _alone(w: int) -> str:
    if w & 0xFF8F in (0x9408, 0x9488):
        return f"{'se' if w & 0x80 == 0 else 'cl'}{FLAGS[w >> 4 & 7]}"
    return ALONE.get(w, "")


def _arithmetic(w: int) -> str:
    d, r, top = w >> 4 & 31, w & 15 | w >> 5 & 16, w >> 12
    if w & 0xFF00 == 0x0100:
        return f"movw r{(w >> 4 & 15) * 2}, r{(w & 15) * 2}"
    if w & 0xFF00 == 0x0200:
        return f"muls r{16 + (w >> 4 & 15)}, r{16 + (w & 15)}"
    if w & 0xFF00 == 0x0300:
        return f"{MULTIPLIES[w & 0x88]} r{16 + (w >> 4 & 7)}, r{16 + (w & 7)}"
    if 0x0400 <= w < 0x3000:
        return f"{TWO_REGISTERS[w >> 10]} r{d}, r{r}"
    if top in CONSTANT:
        return f"{CONSTANT[top]} r{16 + (w >> 4 & 15)}, {w & 15 | w >> 4 & 0xF0}"
    if w & 0xFE00 == 0x9400 and w & 15 in ONE_REGISTER:
        return f"{ONE_REGISTER[w & 15]} r{d}"
    if w & 0xFE00 == 0x9600:
        return f"{'sbiw' if w & 0x100 else 'adiw'} r{24 + (w >> 4 & 3) * 2}, {w & 15 | w >> 2 & 0x30}"
    if w & 0xFC00 == 0x9C00:
        return f"mul r{d}, r{r}"
    if w & 0xFC00 == 0x9800:
        return f"{BITS_OF_PORTS[w >> 8 & 3]} {w >> 3 & 31:02X}H, {w & 7}"
    if w & 0xF808 == 0xF800:
        return f"{BITS_OF_REGISTERS[w >> 9 & 3]} r{d}, {w & 7}"
    return ""


def _memory(w: int, second: int) -> str:
    d, stores = w >> 4 & 31, bool(w & 0x0200)
    if w & 0xD000 == 0x8000:
        q = w & 7 | w >> 7 & 0x18 | w >> 8 & 0x20
        pointer = "Y" if w & 8 else "Z"
        place = f"{pointer}+{q}" if q else pointer
        name = ("std" if stores else "ldd") if q else ("st" if stores else "ld")
        return f"{name} {place}, r{d}" if stores else f"{name} r{d}, {place}"
    if w & 0xF000 == 0xB000:
        port = w & 15 | w >> 5 & 0x30
        return f"out {port:02X}H, r{d}" if w & 0x0800 else f"in r{d}, {port:02X}H"
    if w & 0xFC00 != 0x9000:
        return ""
    kind = w & 15
    if kind == 0:
        return f"sts {second:04X}H, r{d}" if stores else f"lds r{d}, {second:04X}H"
    if kind == 15:
        return f"{'push' if stores else 'pop'} r{d}"
    if kind in POINTERS:
        return f"st {POINTERS[kind]}, r{d}" if stores else f"ld r{d}, {POINTERS[kind]}"
    if kind in FROM_FLASH and not stores:
        name, place = FROM_FLASH[kind]
        return f"{name} r{d}, {place}"
    return ""


def _flow(w: int, second: int, at: int) -> str:
    if w & 0xFE0C == 0x940C:
        target = 2 * ((w & 0x01F0) << 13 | (w & 1) << 16 | second)
        return f"{'call' if w & 2 else 'jmp'} {target:04X}H"
    if w & 0xE000 == 0xC000:
        distance = w & 0xFFF
        distance -= 0x1000 if distance & 0x800 else 0
        return f"{'rcall' if w & 0x1000 else 'rjmp'} {at + 2 + 2 * distance:04X}H"
    if w & 0xF800 == 0xF000:
        distance = w >> 3 & 0x7F
        distance -= 0x80 if distance & 0x40 else 0
        names = CLEARED if w & 0x0400 else SET
        return f"{names[w & 7]} {at + 2 + 2 * distance:04X}H"
    return ""

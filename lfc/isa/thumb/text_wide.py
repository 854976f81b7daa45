"""Wide Thumb instructions as text."""

from __future__ import annotations

from lfc.isa.thumb.code import expanded, signed

CONDITIONS = ("eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al")
HINTS = ("nop", "yield", "wfe", "wfi", "sev")
NAMES = (*(f"r{i}" for i in range(13)), "sp", "lr", "pc")
SHIFTS = ("lsl", "lsr", "asr", "ror")
COMPUTES = {
    0: "and", 1: "bic", 2: "orr", 3: "orn", 4: "eor", 8: "add", 10: "adc", 11: "sbc", 13: "sub", 14: "rsb",
}  # fmt: skip
COMPARES = {0: "tst", 4: "teq", 8: "cmn", 13: "cmp"}
MOVES = {2: "mov", 3: "mvn"}
EXTENDS = ("sxt{}h", "uxt{}h", "sxt{}b16", "uxt{}b16", "sxt{}b", "uxt{}b")
LANES = {0: "add8", 1: "add16", 2: "asx", 4: "sub8", 5: "sub16", 6: "sax"}
WAYS = {0: "s", 1: "q", 2: "sh", 4: "u", 5: "uq", 6: "uh"}
SATURATING = ("qadd", "qdadd", "qsub", "qdsub")
REVERSES = ("rev", "rev16", "rbit", "revsh")
SPECIAL = {
    0: "apsr", 1: "iapsr", 2: "eapsr", 3: "xpsr", 5: "ipsr", 6: "epsr", 7: "iepsr", 8: "msp", 9: "psp",
    16: "primask", 17: "basepri", 18: "basepri_max", 19: "faultmask", 20: "control",
}  # fmt: skip
BARRIERS = {4: "dsb", 5: "dmb", 6: "isb"}
PC = 15


def name(register: int) -> str:
    return NAMES[register]


def registers(bits: int) -> str:
    return "{" + ", ".join(name(r) for r in range(16) if bits >> r & 1) + "}"


def memory(base: str, way: int) -> str:
    return f"[{base}, #{way}]" if way else f"[{base}]"


def wide_text(w: int, v: int, at: int) -> str:
    if w & 0xF800 == 0xF000:
        if v & 0x8000:
            return _branch(w, v, at)
        return _plain(w, v) if w & 0x0200 else _with_constant(w, v)
    match w >> 8:
        case 0xE8 | 0xE9:
            return _two_words(w, v) if w & 0x40 else _several(w, v)
        case 0xEA | 0xEB:
            return _with_shifted(w, v)
        case 0xF8 | 0xF9:
            return _single(w, v)
        case 0xFA:
            return _three_registers(w, v)
        case 0xFB:
            return _long(w, v) if w & 0x80 else _product(w, v)
    return ""


def _branch(w: int, v: int, at: int) -> str:
    sign, j1, j2 = w >> 10 & 1, v >> 13 & 1, v >> 11 & 1
    if v & 0x1000:
        way = sign << 24 | (1 ^ j1 ^ sign) << 23 | (1 ^ j2 ^ sign) << 22 | (w & 0x3FF) << 12 | (v & 0x7FF) << 1
        return f"{'bl' if v & 0x4000 else 'b'} {at + 4 + signed(way, 25) & 0xFFFFFFFF:X}H"
    if v & 0x4000:
        return ""
    if w & 0x0380 != 0x0380:
        way = sign << 20 | j2 << 19 | j1 << 18 | (w & 0x3F) << 12 | (v & 0x7FF) << 1
        return f"b{CONDITIONS[w >> 6 & 15]} {at + 4 + signed(way, 21) & 0xFFFFFFFF:X}H"
    special = SPECIAL.get(v & 0xFF, "")
    if w & 0xFFF0 == 0xF380 and special:
        return f"msr {special}, {name(w & 15)}"
    if w == 0xF3EF and special:
        return f"mrs {name(v >> 8 & 15)}, {special}"
    if w == 0xF3BF and v & 0xFF00 == 0x8F00:
        return f"{BARRIERS[v >> 4 & 15]} sy" if v & 15 == 15 and v >> 4 & 15 in BARRIERS else "clrex" * (v == 0x8F2F)
    if w == 0xF3AF and v & 0xFF00 == 0x8000 and v & 0xFF < len(HINTS):
        return HINTS[v & 0xFF]
    return ""


def _computes(w: int, v: int, last: str) -> str:
    operation, n, d, s = w >> 5 & 15, w & 15, v >> 8 & 15, "s" if w & 0x10 else ""
    if d == PC and s and operation in COMPARES:
        return f"{COMPARES[operation]} {name(n)}, {last}"
    if n == PC and operation in MOVES:
        return f"{MOVES[operation]}{s} {name(d)}, {last}"
    return f"{COMPUTES[operation]}{s} {name(d)}, {name(n)}, {last}" if operation in COMPUTES else ""


def _shift(v: int) -> str:
    by, how = v >> 10 & 0x1C | v >> 6 & 3, v >> 4 & 3
    if not by:
        return ("", ", lsr #32", ", asr #32", ", rrx")[how]
    return f", {SHIFTS[how]} #{by}"


def _with_shifted(w: int, v: int) -> str:
    operation, m, s, shift = w >> 5 & 15, name(v & 15), "s" if w & 0x10 else "", _shift(v)
    if v & 0x8000:
        return ""
    if operation == 6:
        if s or v & 0x10:
            return ""
        return f"{'pkhtb' if v & 0x20 else 'pkhbt'} {name(v >> 8 & 15)}, {name(w & 15)}, {m}{shift}"
    if operation == 2 and w & 15 == PC and shift:
        if shift == ", rrx":
            return f"rrx{s} {name(v >> 8 & 15)}, {m}"
        return f"{shift[2:5]}{s} {name(v >> 8 & 15)}, {m}, {shift[6:]}"
    return _computes(w, v, m + shift)


def _with_constant(w: int, v: int) -> str:
    twelve = (w & 0x400) << 1 | v >> 4 & 0x700 | v & 0xFF
    return _computes(w, v, f"#{expanded(twelve)}")


def _plain(w: int, v: int) -> str:
    n, d, five = name(w & 15), name(v >> 8 & 15), v >> 10 & 0x1C | v >> 6 & 3
    twelve, low = (w & 0x400) << 1 | v >> 4 & 0x700 | v & 0xFF, v & 0x1F
    match w >> 4 & 31:
        case 0 | 10:
            takes = bool(w & 0x80)
            if w & 15 == PC:
                return f"adr {d}, #{-twelve if takes else twelve}"
            return f"{'sub' if takes else 'add'}w {d}, {n}, #{twelve}"
        case 4 | 12:
            return f"mov{'t' if w & 0x80 else 'w'} {d}, #{(w & 15) << 12 | twelve}"
        case 16 | 18 | 24 | 26:
            kind, has_sign = w >> 5 & 1, not w & 0x80
            halves = "16" if kind and not five else ""
            shift = f", {'asr' if kind else 'lsl'} #{five}" if five else ""
            return f"{'s' if has_sign else 'u'}sat{halves} {d}, #{low + has_sign}, {n}{shift}"
        case 20 | 28:
            return f"{'u' if w & 0x80 else 's'}bfx {d}, {n}, #{five}, #{low + 1}"
        case 22 if low >= five:
            width = low - five + 1
            return f"bfc {d}, #{five}, #{width}" if w & 15 == PC else f"bfi {d}, {n}, #{five}, #{width}"
    return ""


def _several(w: int, v: int) -> str:
    loads, back, down, n = w & 0x10, "!" if w & 0x20 else "", bool(w & 0x100), name(w & 15)
    if down == bool(w & 0x80) or not v:
        return ""
    if back and n == "sp" and bool(loads) != down:
        return f"{'pop' if loads else 'push'} {registers(v)}"
    return f"{'ldm' if loads else 'stm'}{'db' if down else ''} {n}{back}, {registers(v)}"


def _indexed(n: str, way: int, before: bool, back: bool) -> str:
    if not before:
        return f"[{n}], #{way}"
    return f"[{n}, #{way}]!" if back else memory(n, way)


def _two_words(w: int, v: int) -> str:
    n, first, second, loads = name(w & 15), name(v >> 12), name(v >> 8 & 15), bool(w & 0x10)
    if w & 0x0120:
        way = 4 * (v & 0xFF) if w & 0x80 else -4 * (v & 0xFF)
        return f"{'ldrd' if loads else 'strd'} {first}, {second}, {_indexed(n, way, bool(w & 0x100), bool(w & 0x20))}"
    if not w & 0x80:
        where = memory(n, 4 * (v & 0xFF))
        return f"ldrex {first}, {where}" if loads else f"strex {second}, {first}, {where}"
    if v & 0x80:
        return _ordered(v, n, first, loads)
    size = {4: "b", 5: "h"}.get(v >> 4 & 15, "")
    if loads and v & 0xFFE0 == 0xF000:
        return f"tbh [{n}, {name(v & 15)}, lsl #1]" if v & 0x10 else f"tbb [{n}, {name(v & 15)}]"
    if not size:
        return ""
    return f"ldrex{size} {first}, [{n}]" if loads else f"strex{size} {name(v & 15)}, {first}, [{n}]"


def _ordered(v: int, n: str, value: str, loads: bool) -> str:
    """What acquires and releases (ARMv8-M)."""
    if v & 0x0F00 != 0x0F00 or v >> 4 & 3 == 3 or ((loads or not v & 0x40) and v & 15 != PC):
        return ""
    operation = f"{'lda' if loads else 'stl'}{'ex' if v & 0x40 else ''}{('b', 'h', '')[v >> 4 & 3]}"
    done = f"{name(v & 15)}, " if v & 0x40 and not loads else ""
    return f"{operation} {done}{value}, [{n}]"


def _single(w: int, v: int) -> str:
    n, r, size, loads, has_sign = name(w & 15), name(v >> 12), w >> 5 & 3, bool(w & 0x10), bool(w & 0x100)
    if size == 3 or (has_sign and (size == 2 or not loads)):
        return ""
    operation = f"{'ldr' if loads else 'str'}{'s' if has_sign else ''}{('b', 'h', '')[size]}"
    if w & 15 == PC:
        return f"{operation} {r}, [pc, #{v & 0xFFF if w & 0x80 else -(v & 0xFFF)}]" if loads else ""
    if w & 0x80:
        return f"{operation} {r}, {memory(n, v & 0xFFF)}"
    if v & 0x800:
        way, before, back = v & 0xFF if v & 0x200 else -(v & 0xFF), bool(v & 0x400), bool(v & 0x100)
        if not before and not back:
            return ""
        if v & 0x700 == 0x600:
            return f"{operation}t {r}, {memory(n, way)}"
        return f"{operation} {r}, {_indexed(n, way, before, back)}"
    shift = f", lsl #{v >> 4 & 3}" if v >> 4 & 3 else ""
    return "" if v & 0x7C0 else f"{operation} {r}, [{n}, {name(v & 15)}{shift}]"


def _three_registers(w: int, v: int) -> str:
    n, d, m, first, second = w & 15, name(v >> 8 & 15), name(v & 15), w >> 4 & 15, v >> 4 & 15
    if v & 0xF000 != 0xF000:
        return ""
    if first < 8 and not second:
        return f"{SHIFTS[first >> 1]}{'s' if first & 1 else ''} {d}, {name(n)}, {m}"
    if first < 6 and second >> 2 == 2:
        turned = f", ror #{8 * (second & 3)}" if second & 3 else ""
        with_sum = "" if n == PC else f"{name(n)}, "
        return f"{EXTENDS[first].format('a' if with_sum else '')} {d}, {with_sum}{m}{turned}"
    if first >= 8 and second < 8 and first & 7 in LANES and second in WAYS:
        return f"{WAYS[second]}{LANES[first & 7]} {d}, {name(n)}, {m}"
    if first == 8 and second >> 2 == 2:
        return f"{SATURATING[second & 3]} {d}, {m}, {name(n)}"
    if first == 9 and second >> 2 == 2:
        return f"{REVERSES[second & 3]} {d}, {m}"
    if (first, second) == (10, 8):
        return f"sel {d}, {name(n)}, {m}"
    return f"clz {d}, {m}" if (first, second) == (11, 8) else ""


def _product(w: int, v: int) -> str:
    n, a, d, m, way = name(w & 15), v >> 12, name(v >> 8 & 15), name(v & 15), v >> 4 & 3
    ends, crossed, rounds = "bt"[way >> 1] + "bt"[way & 1], "x" if way & 1 else "", "r" if way & 1 else ""
    adds, plain = "", ""
    match w >> 4 & 7:
        case 0:
            adds, plain = ("mls", "") if way == 1 else ("mla", "mul") if not way else ("", "")
        case 1:
            adds, plain = f"smla{ends}", f"smul{ends}"
        case 3:
            adds, plain = f"smlaw{'bt'[way & 1]}", f"smulw{'bt'[way & 1]}"
        case 2 | 4 as kind:
            adds, plain = (f"smla{'d' if kind == 2 else 's'}", f"smu{'a' if kind == 2 else 's'}")
            adds, plain = f"{adds if kind == 2 else 'smlsd'}{crossed}", f"{plain}d{crossed}"
        case 5:
            adds, plain = f"smmla{rounds}", f"smmul{rounds}"
        case 6:
            adds = f"smmls{rounds}"
        case 7:
            adds, plain = "usada8", "usad8"
    if v & 0xC0 or (way > 1 and w >> 4 & 7 != 1):
        return ""
    operation = plain if a == PC else adds
    return f"{operation} {d}, {n}, {m}{'' if a == PC else f', {name(a)}'}" if operation else ""


def _long(w: int, v: int) -> str:
    n, low, high, m = name(w & 15), name(v >> 12), name(v >> 8 & 15), name(v & 15)
    kind, way = w >> 4 & 7, v >> 4 & 15
    if kind in (1, 3):
        return f"{'s' if kind == 1 else 'u'}div {high}, {n}, {m}" if way == 15 else ""
    crossed, ends = "x" if way & 1 else "", "bt"[way >> 1 & 1] + "bt"[way & 1]
    operation = {(0, 0): "smull", (2, 0): "umull", (4, 0): "smlal", (6, 0): "umlal", (6, 6): "umaal"}.get((kind, way))
    if kind == 4 and way >> 2 == 2:
        operation = f"smlal{ends}"
    if kind in (4, 5) and way >> 1 == 6:
        operation = f"sml{'a' if kind == 4 else 's'}ld{crossed}"
    return f"{operation} {low}, {high}, {n}, {m}" if operation else ""

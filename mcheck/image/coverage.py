"""What became of each byte of the flash in the check of an image: executed in some state, or why not; and of each line,
as lcov and Cobertura have it."""

from __future__ import annotations

import ctypes
import json
import time
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from xml.etree import ElementTree as XML

from lfc.boards.descriptions.simulated import is_simulated
from lfc.boards.emulators.builtin import Simulation, Source
from lfc.boards.emulators.chips.avr import Avr
from lfc.mcheck.image.check_image import CheckedImage, ImageResult
from lfc.mcheck.image.report import Places
from lfc.toolchain.elf import read_symbol_list

EXECUTED, FAULT, START, VECTOR, RAN, ROUTINE, NEVER, DATA, FILLING = (
    "executed",
    "fault path",
    "start",
    "vector",
    "executed in a run",
    "interrupt",
    "never executed",
    "data",
    "filling",
)
REASONS = {
    EXECUTED: "a state executes it",
    FAULT: "it tells of a fault, and no state has one; or it stops the board after one",
    START: "it runs once, before the first state",
    VECTOR: "an entry of the table of interrupts",
    RAN: "of a routine of an interrupt: the built-in simulator executes it within a second, in which the console gets "
    "the bytes 0 to 255",
    ROUTINE: "of a routine, of which that run executes other parts",
    NEVER: "control could come there, but comes there in no state",
    DATA: "it is loaded, and not executed",
    FILLING: "it lies between two pieces, or behind the last",
}
OF_FAULTS = (
    "lf_fault",
    "lf_port_fault",
    "lf_port_halt",
    "lf_port_reset",
    "write_number",
    "unexpected_interrupt",
    "flush",
)
OF_START = ("lf_main", "lf_start", "lf_port_start", "memset", "__do_", "_start")
OF_VECTORS = ("__vectors", "lf_vectors")
ROUTINES, CALLS = "__vector_", ("call", "rcall", "jmp", "rjmp")
NOTHING = (0x00, 0xFF)
SENT, SECONDS = bytes(range(256)), 1


@dataclass(frozen=True, slots=True)
class Run:
    """Bytes one after the other with which the same is the case. `where`: function or object; `file`, `line`: 0 if no
    line made them."""

    start: int
    end: int
    kind: str
    where: str
    file: str
    line: int


def runs_of(image: CheckedImage, result: ImageResult) -> list[Run]:
    """Every byte of the flash, in order, in one of them."""
    places, first = Places(image), image.board.flash.start
    what = kinds_of(places, image, result)
    told = []
    for at, (kind, where) in enumerate(what):
        line = places.line(at + first) if kind not in (DATA, FILLING) else None
        told.append((kind, where, *(line or ("", 0))))
    found = []
    for (kind, where, file, number), group in groupby(range(len(told)), key=told.__getitem__):
        inside = list(group)
        found.append(Run(inside[0] + first, inside[-1] + 1 + first, kind, where, file, number))
    return found


def kinds_of(places: Places, image: CheckedImage, result: ImageResult) -> list[tuple[str, str]]:
    first = image.board.flash.start
    found: list[tuple[str, str]] = [("", "")] * len(image.flash)
    starts = sorted((s.address, s.name) for s in places.processor.symbol_list if s.kind == "function" and not s.in_data)
    of = {at: function_at(places, starts, at + first) for at in result.code.instructions}
    ran = ran_in(image)
    passed = {of[at] for at in of if result.executed[at // 2]}
    in_run = ({of[at] for at in of if ran[at // 2]} & routines(places, of)) - passed
    for at, size in result.code.instructions.items():
        kind = EXECUTED if result.executed[at // 2] else why_never(of[at])
        if kind == NEVER and of[at] in in_run:
            kind = RAN if ran[at // 2] else ROUTINE
        found[at : at + size] = [(kind, of[at])] * len(found[at : at + size])
    for s in read_symbol_list(image.firmware.image.elf):
        if s.in_data or not s.size:
            continue
        for at in range(max(0, s.address - first), min(len(found), s.address - first + s.size)):
            if not found[at][0]:
                found[at] = (VECTOR if s.name.startswith(OF_VECTORS) and s.kind == "object" else DATA, s.name)
    rest = [(FILLING if byte in NOTHING else DATA, "") for byte in image.flash]
    return [of if of[0] else other for of, other in zip(found, rest, strict=True)]


def function_at(places: Places, starts: list[tuple[int, str]], address: int) -> str:
    """Assembler may go on behind what its symbol says: then it is of the function before it."""
    before = bisect_right(starts, (address, "\x7f")) - 1
    return places.function(address) or (starts[before][1] if before >= 0 else "")


def routines(places: Places, of: dict[int, str]) -> set[str]:
    """Functions by name: those of an AVR's interrupts, and all that they call or jump to."""
    inside: dict[str, list[int]] = {}
    for at, name in of.items():
        inside.setdefault(name, []).append(at)
    found: set[str] = set()
    work = [name for name in inside if name.startswith(ROUTINES)]
    while work:
        name = work.pop()
        if name not in found:
            found.add(name)
            codes = [places.code(at).split() for at in inside[name]]
            targets = [int(code[-1].rstrip("H"), 16) for code in codes if code[0] in CALLS]
            work += [of[at] for at in targets if at in of]
    return found


def ran_in(image: CheckedImage) -> bytes:
    """By word: what a run of an AVR's image executes, routines of interrupts among it. Of one that was not built here,
    nothing is known."""
    board, room = image.board, (ctypes.c_uint8 * (len(image.flash) // 2 + 1))()
    if board.cpu.architecture == "avr" and is_simulated(board) and not image.differing:
        simulation = Simulation(board, image.firmware.image.elf, lambda _: None, Source(SENT))
        assert isinstance(simulation.processor, Avr)
        simulation.processor.core.state.executed = ctypes.cast(room, ctypes.POINTER(ctypes.c_uint8))
        simulation.run(SECONDS * board.cpu.clock, None, False)
    return bytes(room)


def why_never(function: str) -> str:
    for names, kind in ((OF_FAULTS, FAULT), (OF_START, START), (OF_VECTORS, VECTOR)):
        if function.startswith(names):
            return kind
    return NEVER


def lines_of(runs: list[Run]) -> dict[str, dict[int, bool]]:
    """By file and line: whether some of its code is executed."""
    found: dict[str, dict[int, bool]] = {}
    for r in runs:
        if r.line:
            lines = found.setdefault(r.file, {})
            lines[r.line] = lines.get(r.line, False) or r.kind == EXECUTED
    return {file: dict(sorted(lines.items())) for file, lines in sorted(found.items())}


# --- forms ----------------------------------------------------------------------------------------------------------


def as_form(suffix: str, runs: list[Run], board: str) -> str:
    """`.info`: lcov; `.xml`: Cobertura; else JSON, the only one that has every byte."""
    return {".info": as_lcov, ".xml": as_cobertura}.get(suffix, as_json)(runs, board)


def as_json(runs: list[Run], board: str) -> str:
    counts = Counter[str]()
    for r in runs:
        counts[r.kind] += r.end - r.start
    told = [
        {"start": r.start, "end": r.end, "kind": r.kind, "where": r.where or None, "file": r.file or None}
        | {"line": r.line or None}
        for r in runs
    ]
    document = {"version": 1, "board": board, "bytes": counts.total(), "kinds": dict(sorted(counts.items()))}
    return json.dumps(document | {"reasons": REASONS, "runs": told}, indent=1) + "\n"


def as_lcov(runs: list[Run], board: str) -> str:
    out = []
    for file, lines in lines_of(runs).items():
        out += [f"TN:{board}", f"SF:{file}", *(f"DA:{number},{int(hit)}" for number, hit in lines.items())]
        out += [f"LF:{len(lines)}", f"LH:{sum(lines.values())}", "end_of_record"]
    return "\n".join(out) + "\n"


def as_cobertura(runs: list[Run], board: str) -> str:
    files = lines_of(runs)
    valid, covered = sum(map(len, files.values())), sum(sum(lines.values()) for lines in files.values())
    rate = {"line-rate": f"{covered / max(1, valid):.4f}", "branch-rate": "0", "complexity": "0"}
    counts = {"lines-valid": str(valid), "lines-covered": str(covered), "branches-valid": "0", "branches-covered": "0"}
    top = XML.Element("coverage", {**rate, **counts, "version": "1", "timestamp": str(int(time.time()))})
    XML.SubElement(XML.SubElement(top, "sources"), "source").text = "."
    package = XML.SubElement(XML.SubElement(top, "packages"), "package", {"name": board, **rate})
    classes = XML.SubElement(package, "classes")
    for file, lines in files.items():
        own = rate | {"line-rate": f"{sum(lines.values()) / len(lines):.4f}"}
        one = XML.SubElement(classes, "class", {"name": file, "filename": file, **own})
        XML.SubElement(one, "methods")
        inside = XML.SubElement(one, "lines")
        for number, hit in lines.items():
            XML.SubElement(inside, "line", {"number": str(number), "hits": str(int(hit))})
    XML.indent(top, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + XML.tostring(top, encoding="unicode") + "\n"

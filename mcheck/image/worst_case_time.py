"""The longest passes of an image: measured in every reached state, with the lines that they go through."""

from __future__ import annotations

import time

from lfc.actions.model.machine import Machine
from lfc.mcheck.image.check_image import CheckedImage, ImageCheck, ImageResult, LongestPass
from lfc.mcheck.image.report import Places, as_data, event_of, longest_as_data
from lfc.mcheck.request.request import Request
from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.search.worker_thread import Shown, ctrl_c, in_thread, in_time, run_with_progress
from lfc.run.names import live_processes

SHOWN_LINES = 12
WHAT_IS_COUNTED = {
    "avr": "cycles of the pass itself, without the call from the loop around it (7), waiting for the transmitter, "
    "and interrupts",
    "cortexm": "cycles of the pass itself, by the processor's manual and without wait states of the flash; without "
    "the call from the loop around it, waiting for the transmitter, and interrupts",
    "riscv": "cycles of the pass itself, by the processor's manual and without wait states of the flash; every branch "
    "counts as predicted wrongly; without the call from the loop around it, waiting for the transmitter, interrupts",
}


def measured(machine: Machine, image: CheckedImage, request: Request) -> tuple[ImageResult, bool]:
    """And whether all states were looked at. Of the seconds half at most are the search's, so that there are some
    for the execution of what it found. Raises KeyboardInterrupt at Ctrl-C, as soon as the engine rests."""
    search, seconds = Search(machine, request), request.limits.seconds
    shown = Shown(search, 0, time.monotonic(), None)
    try:
        with ctrl_c(shown):
            stop = run_with_progress(search, seconds / 2, shown)
            result = None if stop is Stop.INTERRUPTED else _executed(search, image, seconds, shown)
            if result is None or shown.was_interrupted:
                raise KeyboardInterrupt
            return result, stop is Stop.COMPLETE and not result.stopped
    finally:
        search.close()


def _executed(search: Search, image: CheckedImage, seconds: float, shown: Shown) -> ImageResult:
    check = ImageCheck(search, image)
    try:
        with in_time(search, shown.begin, seconds):
            in_thread(check.run, search, shown)
        return check.result(with_ways=True)
    finally:
        check.close()


def lines_of(places: Places, p: LongestPass) -> list[int]:
    """Of the main module, in the order of the way; each once."""
    found: dict[int, None] = {}
    for address in p.way:
        line = places.line(address)
        if line is not None and line[0] == places.main:
            found[line[1]] = None
    return list(found)


def times_as_data(image: CheckedImage, result: ImageResult) -> dict[str, object]:
    places = Places(image)
    clock = image.board.cpu.clock
    longest = max((p.cycles for p in result.longest), default=0)
    return {
        "version": 1,
        "board": image.board.name,
        "clock": clock,
        "states": result.states,
        "longest": longest,
        "passes": [
            longest_as_data(places, p) | {"microseconds": p.cycles * 1e6 / clock, "lines": lines_of(places, p)}
            for p in result.longest
        ],
        "image_check": as_data(image, result),
    }


def times_as_text(image: CheckedImage, result: ImageResult, complete: bool) -> list[str]:
    places = Places(image)
    clock = image.board.cpu.clock
    lines = [f"{'cycles':>8} {'µs':>10}  pass"]
    order = sorted(result.longest, key=lambda p: (-p.cycles, p.number))
    for p in order:
        lines.append(f"{p.cycles:8} {p.cycles * 1e6 / clock:10.1f}  {name_of(places, p)}")
    if order:
        worst = order[0]
        lines.append(f"longest pass: {name_of(places, worst)}, starting in the state")
        for who in live_processes(places.machine, worst.block):
            at = "ready at" if who.position.ready else "waits at"
            lines.append(f"  {who.name} {at} line {who.position.span.line}")
        lines.append(f"  block {worst.block.hex()}")
        through = lines_of(places, worst)
        if through:
            more = "" if len(through) <= SHOWN_LINES else " and others"
            lines.append(f"  through lines {', '.join(map(str, through[:SHOWN_LINES]))}{more}")
    over = f"all {result.states} states" if complete else f"{result.states} states, not all"
    lines.append(f"over {over}; {WHAT_IS_COUNTED[image.board.cpu.architecture]}")
    return lines


def name_of(places: Places, p: LongestPass) -> str:
    position = places.position(p.number)
    event = event_of(places, p)
    if position is None:
        return event
    what = "" if event == "run" else ", after its wait"
    return f"{position.body.name}, line {position.span.line}{what}"

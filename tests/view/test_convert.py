"""Files for other viewers, read back: they hold what the run held, as `parts` and the trace tell it."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lfc.run.names import live_processes, parts
from lfc.trace.files import Trace, read_trace
from lfc.view.itf_file import as_itf
from lfc.view.perfetto_file import STEP, as_perfetto
from lfc.view.replayed import ReplayedStep, done_again
from lfc.view.timeline import Timeline, timeline_of
from lfc.view.vcd_file import as_vcd, word
from tests.cli.lfc import lfc
from tests.view.programs import machine_named, run_named

NAMES = ("philosophers", "prodcons", "buffer", "leader", "calls")


def steps_of(name: str) -> list[ReplayedStep]:
    run = run_named(name)
    return list(done_again(Trace("", "", run.steps, run.machine.wide), run.machine))


def blocks_of(steps: list[ReplayedStep]) -> list[bytes]:
    return [steps[0].before, *(s.after for s in steps if s.after is not None)]


def run_of(name: str) -> Timeline:
    return timeline_of(machine_named(name), steps_of(name))


# --- VCD -----------------------------------------------------------------------------------------------------------


def moments_of(text: str) -> Iterator[dict[str, object]]:
    """What each signal is after each moment."""
    from vcd.reader import TokenKind, tokenize

    names: dict[str, str] = {}
    scopes: list[str] = []
    now: dict[str, object] = {}
    last = 0
    for token in tokenize(io.BytesIO(text.encode())):
        if token.kind is TokenKind.SCOPE:
            scopes.append(token.scope.ident)
        elif token.kind is TokenKind.UPSCOPE:
            scopes.pop()
        elif token.kind is TokenKind.VAR:
            bits = token.var.bit_index
            index = "" if bits is None else f"[{bits}]" if isinstance(bits, int) else f"[{bits[0]}:{bits[1]}]"
            names[token.var.id_code] = f"{'.'.join(scopes)}.{token.var.reference}{index}"
        elif token.kind is TokenKind.CHANGE_TIME:
            for _ in range(last, token.time_change):
                yield dict(now)
            last = token.time_change
        elif token.kind is TokenKind.CHANGE_SCALAR:
            now[names[token.scalar_change.id_code]] = token.scalar_change.value
        elif token.kind is TokenKind.CHANGE_VECTOR:
            now[names[token.vector_change.id_code]] = token.vector_change.value
        elif token.kind is TokenKind.CHANGE_STRING:
            now[names[token.string_change.id_code]] = token.string_change.value


def as_in_vcd(value: object) -> str:
    """Of a text of ours, or of a value that was read."""
    if isinstance(value, int):
        return str(value if value < 1 << 63 else value - (1 << 64))
    text = str(value)
    return {"TRUE": "1", "FALSE": "0"}.get(text, text.replace("\\x20", " "))


@pytest.mark.parametrize("name", NAMES)
def test_a_value_change_dump_has_every_value(name: str) -> None:
    machine, steps = machine_named(name), steps_of(name)
    run = timeline_of(machine, steps)
    told = list(moments_of(as_vcd(run)))
    blocks = blocks_of(steps)
    assert len(told) == len(blocks)
    signals = {(s.owner, s.name): f"{word(s.owner)}.{word(s.name)}" for s in run.signals}
    for now, block in zip(told, blocks, strict=True):
        for variable, part in parts(machine, block).items():
            owner, _, rest = variable.partition(".")
            key = (owner, rest) if (owner, rest) in signals else (machine.program.main.name, variable)
            assert as_in_vcd(now[signals[key]]) == as_in_vcd(part.text), variable
        lines = {p.name: p.position.span.line for p in live_processes(machine, block)}
        assert {who: now[f"{word(who)}.line"] for who in lines} == lines


# --- Perfetto ------------------------------------------------------------------------------------------------------


def packets_of(data: bytes) -> list[Any]:
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace as Packets

    found = Packets()
    found.ParseFromString(data)
    return list(found.packet)


@pytest.mark.parametrize("name", NAMES)
def test_a_perfetto_trace_is_well_formed(name: str) -> None:
    """Slices of a track do not overlap, every step is one, and an arrow has two ends in the same step."""
    run = run_of(name)
    names: dict[int, str] = {}
    slices: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    opened: dict[int, tuple[int, str]] = {}
    ends: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for packet in packets_of(as_perfetto(run)):
        if packet.HasField("track_descriptor"):
            names[packet.track_descriptor.uuid] = packet.track_descriptor.name
        event, at = packet.track_event, packet.timestamp // STEP
        if event.type == event.TYPE_SLICE_BEGIN:
            assert event.track_uuid not in opened
            opened[event.track_uuid] = at, event.name
            for flow in event.flow_ids:
                ends[flow].append(("from", at))
            for flow in event.terminating_flow_ids:
                ends[flow].append(("to", at))
        elif event.type == event.TYPE_SLICE_END:
            start, what = opened.pop(event.track_uuid)
            slices[names[event.track_uuid]].append((start, at, what))
    assert not opened
    for told in slices.values():
        told.sort()
        assert all(a[1] <= b[0] for a, b in zip(told, told[1:], strict=False)), told
    for number, step in enumerate(run.steps):
        assert (number, number + 1, step.deed) in slices[step.who]
    arrows = [at for at, messages in enumerate(run.messages) for _ in messages]
    assert [(sorted(kind for kind, _ in e), {at for _, at in e}) for e in ends.values()] == [
        (["from", "to"], {at}) for at in arrows
    ]


def test_who_is_stuck_waits_from_its_last_step_to_the_end() -> None:
    run = run_of("philosophers")
    begins: dict[str, int] = {}
    names: dict[int, str] = {}
    for packet in packets_of(as_perfetto(run)):
        if packet.HasField("track_descriptor"):
            names[packet.track_descriptor.uuid] = packet.track_descriptor.name
        if packet.track_event.name.startswith("waits: "):
            begins[names[packet.track_event.track_uuid]] = packet.timestamp // STEP
    stuck = [f"Philosopher[{i}]" for i in range(5)]
    last = {who: max(n for n, step in enumerate(run.steps) if step.who == who) for who in stuck}
    assert {who: begins.get(who) for who in stuck} == {who: n + 1 for who, n in last.items()}


# --- ITF -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_itf_has_every_state(name: str) -> None:
    machine, steps = machine_named(name), steps_of(name)
    document = json.loads(as_itf(timeline_of(machine, steps)))
    blocks = blocks_of(steps)
    assert len(document["states"]) == len(blocks)
    for number, (state, block) in enumerate(zip(document["states"], blocks, strict=True)):
        assert state["#meta"]["index"] == number and set(document["vars"]) == state.keys() - {"#meta"}
        known = {n: p.text for n, p in parts(machine, block).items()}
        told = {n: v for n, v in state.items() if n not in ("#meta", "at") and not isinstance(v, dict)}
        assert {n: str(v).upper() if isinstance(v, bool) else str(v) for n, v in told.items()} == known
        there = {who: at["line"] for who, at in state["at"]["#map"] if "line" in at}
        assert there == {p.name: p.position.span.line for p in live_processes(machine, block)}


# --- the command ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".vcd", ".pftrace", ".itf.json", ".mmd"])
def test_the_command(tmp_path: Path, ending: str) -> None:
    trace, out = tmp_path / "t.json", tmp_path / f"t{ending}"
    lfc("run", "examples/prodcons.lf", "--max-actions", "40", "--record", trace)
    done = lfc("trace", "convert", trace, "examples/prodcons.lf", "-o", out)
    assert (done.exit, done.out, done.err) == (0, f"{out}: 40 steps\n", "") and out.stat().st_size > 500


def test_pins_are_signals(tmp_path: Path) -> None:
    """What a program writes to ports, against the trace's own items."""
    trace, out = tmp_path / "t.json", tmp_path / "t.vcd"
    lfc("run", "examples/blink.lf", "--clock", "virtual", "--max-actions", "30", "--record", trace)
    assert lfc("trace", "convert", trace, "examples/blink.lf", "-o", out).exit == 0
    written = [i.operands for i in read_trace(trace).items if i.name == "out"]
    assert written
    told = list(moments_of(out.read_text()))
    for width, address, _ in written:
        key = next(k for k in told[-1] if k.startswith("ports.") and f"_{address:X}H" in k)
        values = [v for w, a, v in written if (w, a) == (width, address)]
        seen = [v for v in dict.fromkeys(str(m[key]) for m in told) if v != "x"]
        assert seen == list(dict.fromkeys(map(str, values)))


def test_what_cannot_be_converted(tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    lfc("run", "examples/prodcons.lf", "--max-actions", "5", "--record", trace)
    done = lfc("trace", "convert", trace, "examples/prodcons.lf", "-o", tmp_path / "t.png")
    assert done.exit == 2 and "t.png has none of the endings .pftrace, .vcd, .itf.json, .mmd." in done.err
    done = lfc("trace", "convert", trace, "examples/sieve.lf", "-o", tmp_path / "t.vcd")
    assert done.exit == 2 and "was recorded from another program" in done.err

"""A run as a Perfetto trace: a track for each process, an arrow for each message, counters for modules' numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lfc.view.timeline import Timeline

STEP = 1000  # nanoseconds
SEQUENCE = 1
ROOT = 1


class Builder:
    def __init__(self, module: str) -> None:
        from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TracePacket, TrackEvent
        from perfetto.trace_builder.proto_builder import TraceProtoBuilder

        self.trace = TraceProtoBuilder()
        self.events = TrackEvent
        self.fresh = TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        self.tracks: dict[str, int] = {}
        root = self.packet(0)
        root.sequence_flags = self.fresh
        root.track_descriptor.uuid = ROOT
        root.track_descriptor.name = module

    def packet(self, moment: int) -> Any:
        packet = self.trace.add_packet()
        packet.timestamp = moment * STEP
        packet.trusted_packet_sequence_id = SEQUENCE
        return packet

    def track(self, name: str, counts: bool = False) -> int:
        if name not in self.tracks:
            self.tracks[name] = ROOT + 1 + len(self.tracks)
            descriptor = self.packet(0).track_descriptor
            descriptor.uuid, descriptor.parent_uuid, descriptor.name = self.tracks[name], ROOT, name
            if counts:
                descriptor.counter.SetInParent()
        return self.tracks[name]

    def event(self, moment: int, kind: int, track: int) -> Any:
        event = self.packet(moment).track_event
        event.type, event.track_uuid = kind, track
        return event

    def slice(self, track: int, name: str, start: int, end: int) -> Any:
        event = self.event(start, self.events.TYPE_SLICE_BEGIN, track)
        event.name = name
        self.event(end, self.events.TYPE_SLICE_END, track)
        return event


def as_perfetto(run: Timeline) -> bytes:
    """A step is a microsecond."""
    builder = Builder(run.module)
    for process in run.waits:
        builder.track(process)
    flow = 0
    for number, step in enumerate(run.steps):
        event = builder.slice(builder.track(step.who), step.deed, number, number + 1)
        if step.span is not None:
            event.source_location.file_name, event.source_location.line_number = step.span.source.path, step.span.line
        for source, target, message in run.messages[number]:
            flow += 1
            event.flow_ids.append(flow)
            other = target if source == step.who else source
            what = f"{message} from {source}" if other == target else f"{message} to {target}"
            builder.slice(builder.track(other), what, number, number + 1).terminating_flow_ids.append(flow)
    for process, waits in run.waits.items():
        add_waits(builder, run, process, waits)
    for signal in run.signals:
        if signal.kind == "number" and signal.owner in (run.module, "ports"):
            add_counter(builder, signal.name, signal.values)
    return bytes(builder.trace.serialize())


def add_waits(builder: Builder, run: Timeline, process: str, waits: list[str | None]) -> None:
    """From where it begins to wait to the step in which somebody meets it, or to the end."""
    start = 0
    for moment in range(1, run.moments + 1):
        if moment < run.moments and waits[moment] == waits[start] and not met(run, process, moment - 1):
            continue
        if waits[start] and moment - 1 >= start:
            end = moment if moment == run.moments else moment - 1
            if end > start:
                builder.slice(builder.track(process), f"waits: {waits[start]}", start, end)
        start = moment


def met(run: Timeline, process: str, step: int) -> bool:
    return any(process in (source, target) for source, target, _ in run.messages[step])


def add_counter(builder: Builder, name: str, values: list[str | None]) -> None:
    track, before = builder.track(name, counts=True), None
    for moment, value in enumerate(values):
        if value is not None and value != before:
            builder.event(moment, builder.events.TYPE_COUNTER, track).counter_value = int(value)
        before = value

"""What of a state block belongs to the program of one board: the same in the composition and in the board's image,
where it lies in other places and has other things beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lfc.actions.model.machine import Machine, Position, RecordLayout
from lfc.run.names import active_frames, value_text
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import ArrayType, ChannelType, OpenArrayType, RecordType, Type, size_and_alignment

GONE = "not there"
Seen = tuple[tuple[str, str, bytes], ...]  # name, as text, as bytes; in the order of their names


class View:
    """Of the modules with these names, by the names that they have in the composition."""

    def __init__(self, machine: Machine, modules: frozenset[str]) -> None:
        self.machine = machine
        variables = sorted(machine.layout.variables.items(), key=lambda v: v[1])
        self.variables = [(v, at) for v, at in variables if v.owner.name in modules and not has_channel(v.type)]
        self.records = [r for r in machine.layout.records if module_of(r) in modules]
        self.spans = merged(
            [(at, at + size_of(v)) for v, at in self.variables]
            + [(r.position_offset, r.position_offset + r.slots * r.position_size) for r in self.records]
            + [(r.offset, r.offset + r.slots * r.stride) for r in self.records]
        )
        self.known: dict[bytes, Seen] = {}

    def cut(self, block: bytes) -> bytes:
        """All bytes that it depends on."""
        return b"".join(block[start:end] for start, end in self.spans)

    def seen(self, block: bytes) -> Seen:
        key = self.cut(block)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = tuple(sorted(self._all(block)))
        return found

    def _all(self, block: bytes) -> Iterator[tuple[str, str, bytes]]:
        for v, at in self.variables:
            yield self._value(f"{v.owner.name}.{v.name}", v, block, at)
        for record in self.records:
            for index in range(record.slots):
                name = record.body.name if record.slots == 1 else f"{record.body.name}[{index}]"
                position = self.machine.position_at(block, record.first_slot + index)
                if position is None:
                    yield name, GONE, b""
                else:
                    yield from self._process(name, block, record, index, position)

    def _process(
        self, name: str, block: bytes, record: RecordLayout, index: int, position: Position
    ) -> Iterator[tuple[str, str, bytes]]:
        frames = reversed(list(active_frames(self.machine, block, record, index, position)))
        for depth, frame in enumerate(frames):
            called = name + "".join(f".{frame.body.name.rpartition('.')[2]}()" for _ in range(depth > 0))
            yield f"{called}#{depth}", place_text(frame.position), place_bytes(frame.position)
            assert frame.body.frame is not None
            for v, at in frame.body.frame.variables.items():
                if v.kind is not VariableKind.VAR and not has_channel(v.type):
                    yield self._value(f"{called}#{depth}.{v.name}", v, block, frame.offset + at)

    def _value(self, name: str, v: Variable, block: bytes, at: int) -> tuple[str, str, bytes]:
        content = block[at : at + size_of(v)]
        try:
            return name, value_text(v.type, block, at), content
        except (ValueError, IndexError):  # no value of its type
            return name, content.hex(" ").upper(), content


def common_modules(whole: Machine, image: Machine, names: Iterable[str]) -> frozenset[str]:
    """Those that both have, with the same variables and processes. Of a driver that is another one for each chip the
    composition says nothing."""
    return frozenset(n for n in names if shape_of(whole, n) == shape_of(image, n) != ((), ()))


def shape_of(machine: Machine, module: str) -> tuple[object, ...]:
    variables = sorted((v.name, size_of(v)) for v in machine.layout.variables if v.owner.name == module)
    records = sorted((r.body.name, r.slots) for r in machine.layout.records if module_of(r) == module)
    return tuple(variables), tuple(records)


def module_of(record: RecordLayout) -> str:
    return record.body.process.module.name if record.body.process is not None else ""


def size_of(v: Variable) -> int:
    return size_and_alignment(v.type)[0]


def has_channel(t: Type) -> bool:
    """Channels have other numbers elsewhere, and where an open array lies is another place."""
    match t:
        case ArrayType():
            return has_channel(t.element)
        case RecordType():
            return any(has_channel(f.type) for f in t.fields)
    return isinstance(t, ChannelType | OpenArrayType)


def place_text(position: Position) -> str:
    line = position.span.line
    return f"line {line}" if position.ready else f"waits in line {line}"


def place_bytes(position: Position) -> bytes:
    """The same place of the same text, whatever its number."""
    told = (position.body.name, position.kind, position.span.start, position.span.end, position.clause)
    return repr(told).encode()


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(s for s in spans if s[0] < s[1]):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def differences(one: Seen, other: Seen) -> list[tuple[str, str, str]]:
    """The names that differ, with both texts."""
    x, y = ({name: (text, content) for name, text, content in seen} for seen in (one, other))
    names = [name for name in sorted(x.keys() | y.keys()) if x.get(name) != y.get(name)]
    return [(n.replace("#0", ""), x.get(n, (GONE, b""))[0], y.get(n, (GONE, b""))[0]) for n in names]

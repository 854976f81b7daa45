"""Where the program stands, as an editor shows it: processes as threads, positions and calls as frames, variables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lfc.base.source import Span
from lfc.debugger.breakpoints import gone, resolved
from lfc.debugger.stops import Stop
from lfc.run.names import LiveProcess, live_processes, source_text, value_text, values, variable_text
from lfc.run.stepper import Stepper
from lfc.semantics.model import typed
from lfc.semantics.model.types import ArrayType, OpenArrayType, RecordType, Type, record_layout, size_and_alignment

NOBODY = 1 << 20  # the thread that is shown when no process lives
FRAMES = 1 << 10  # most of one process, the one of a fault included
OF_FAULT = FRAMES - 1  # the number of that one; it shows what the innermost other one does
MOST_ELEMENTS = 1000  # shown of an array
WAITS = "waits for"


@dataclass(frozen=True, slots=True)
class Shown:
    """A variable: as it is called here, as all call it, its value, and what that was before the last step."""

    name: str
    full: str
    value: str
    was: str | None = None
    type: Type | None = None  # None: its parts are not shown
    at: int = 0  # in the block


@dataclass(slots=True)
class View:
    """Of one moment. Numbers that an editor gets are of this moment."""

    stepper: Stepper
    stop: Stop
    live: dict[int, LiveProcess] = field(init=False)
    now: dict[str, str] = field(init=False)
    before: dict[str, str] = field(init=False)
    block_before: bytes = field(init=False)
    tables: list[list[Shown]] = field(default_factory=list)

    def __post_init__(self) -> None:
        s = self.stepper
        self.live = {p.slot: p for p in live_processes(s.machine, s.block)}
        self.now = values(s.machine, s.block)
        self.block_before = s.block_at(s.at - 1) if s.at else s.block
        self.before = values(s.machine, self.block_before)

    def threads(self) -> list[dict[str, Any]]:
        found = [{"id": slot + 1, "name": p.name} for slot, p in self.live.items()]
        return found or [{"id": NOBODY, "name": "no process lives"}]

    def thread(self) -> int:
        """That the stop is about."""
        slot = self.stop.slot if self.stop.slot in self.live else next(iter(self.live), None)
        return NOBODY if slot is None else slot + 1

    def frames(self, thread: int) -> list[dict[str, Any]]:
        process = self.live.get(thread - 1)
        if process is None:
            return []
        found: list[dict[str, Any]] = []
        for depth, frame in enumerate(process.frames):
            waits = depth == 0 and not process.position.ready
            name = f"{frame.body.name} {WAITS} {source_text(frame.position.span)}" if waits else frame.body.name
            found.append({"id": thread * FRAMES + depth, "name": name, **place(frame.position.span)})
        fault = self.stepper.fault
        if fault is not None and self.stop.slot == thread - 1:
            span = self.stepper.generated.sites[fault.site].span
            found.insert(0, {"id": thread * FRAMES + OF_FAULT, "name": f"{self.stop.exception} here", **place(span)})
        return found

    def scopes(self, frame: int) -> list[dict[str, Any]]:
        process, depth = self.live.get(frame // FRAMES - 1), frame % FRAMES
        named = [("Changed by this step", self.changed())]
        if process is not None:
            named.append(("Variables", self.of_frame(process, 0 if depth == OF_FAULT else depth)))
        named.append(("Modules", self.of_modules()))
        return [
            {"name": name, "variablesReference": self.table(shown), "expensive": False, "namedVariables": len(shown)}
            for name, shown in named
            if shown
        ]

    def table(self, shown: list[Shown]) -> int:
        self.tables.append(shown)
        return len(self.tables)

    def of_frame(self, process: LiveProcess, depth: int) -> list[Shown]:
        machine, block = self.stepper.machine, self.stepper.block
        if depth >= len(process.frames):
            return []
        frame = process.frames[depth]
        assert frame.body.frame is not None
        called = "" if depth == len(process.frames) - 1 else f".{frame.body.name.rsplit('.', 1)[-1]}()"
        found = []
        for v, offset in frame.body.frame.variables.items():
            if "'" in v.name:  # the compiler's own, such as the limit of a FOR
                continue
            full = f"{process.name}{called}.{v.name}"
            text = variable_text(machine, v, block, frame.offset + offset)
            found.append(Shown(v.name, full, text, self.before.get(full, text), *self.lies(v, frame.offset + offset)))
        return found

    def lies(self, v: typed.Variable, at: int) -> tuple[Type | None, int]:
        """Type and offset of a variable, or of what a VAR parameter stands for."""
        if isinstance(v.type, OpenArrayType):
            return None, 0
        if v.kind is typed.VariableKind.VAR:
            at = int.from_bytes(self.stepper.block[at : at + 2], "little")
        return v.type, at

    def of_modules(self) -> list[Shown]:
        main = self.stepper.machine.program.main
        found = []
        for layout, _ in self.stepper.machine.parts:
            for v, at in layout.variables.items():
                name = v.name if v.owner is main else f"{v.owner.name}.{v.name}"
                found.append(Shown(name, name, self.now[name], self.before.get(name), v.type, at))
        return found + [self.shown(n, n) for n in self.now if n.startswith("pending ")]

    def parts(self, s: Shown) -> list[Shown]:
        """Elements of an array, fields of a record."""
        places: list[tuple[str, Type, int]] = []
        if isinstance(s.type, ArrayType):
            size, _ = size_and_alignment(s.type.element)
            count = min(s.type.length, MOST_ELEMENTS)
            places = [(f"[{i}]", s.type.element, s.at + i * size) for i in range(count)]
        elif isinstance(s.type, RecordType):
            offsets, _, _ = record_layout(s.type)
            places = [(f".{f.name}", f.type, s.at + o) for f, o in zip(s.type.fields, offsets, strict=True)]
        block, before = self.stepper.block, self.block_before
        return [
            Shown(
                name.removeprefix("."),
                s.full + name,
                value_text(t, block, at),
                None if s.was is None else value_text(t, before, at),
                t,
                at,
            )
            for name, t, at in places
        ]

    def shown(self, name: str, full: str) -> Shown:
        return Shown(name, full, self.now[full], self.before.get(full))

    def changed(self) -> list[Shown]:
        names = [n for n in self.now if n in self.before and self.before[n] != self.now[n]]
        return [Shown(n, n, self.now[n], self.before[n]) for n in names]

    def variables(self, reference: int) -> list[dict[str, Any]]:
        shown = self.tables[reference - 1] if 0 < reference <= len(self.tables) else []
        return [self.variable(s) for s in shown]

    def variable(self, s: Shown) -> dict[str, Any]:
        found: dict[str, Any] = {"name": s.name, "value": s.value, "evaluateName": s.full, "variablesReference": 0}
        if s.was is not None and s.was != s.value:
            found["value"] = f"{s.value}   (was {gone(s.was)})"
        if parts := self.parts(s):
            found["variablesReference"] = self.table(parts)
        return found


def place(span: Span) -> dict[str, Any]:
    line, column = span.source.line_and_column(span.start)
    end_line, end_column = span.source.line_and_column(span.end)
    path = resolved(span.source.path)
    return {
        "source": {"name": path.rsplit("/", 1)[-1], "path": path},
        "line": line,
        "column": column,
        "endLine": end_line,
        "endColumn": end_column,
    }

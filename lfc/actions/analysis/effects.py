"""The effects table: for each action what it may read, write and ask for, what ends it, its spans and its length.

Section 6 of docs/reference/machine.md defines regions and what the table promises. Calls are followed, forth and back;
a VAR parameter stands for all that may be passed for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lfc.actions.analysis.length import Lengths
from lfc.actions.analysis.places import (
    AnyPosition,
    AnySlot,
    AroundFrame,
    FrameField,
    InBlock,
    InFrame,
    OfPosition,
    Place,
    WholeRecord,
)
from lfc.actions.analysis.running_on import bodies_of, may_run_on
from lfc.actions.analysis.statement_effects import Effects, EffectsOf
from lfc.actions.flow.lower import targets
from lfc.actions.model.machine import (
    Attempt,
    Block,
    Body,
    Branch,
    CallWaiting,
    Choose,
    Finish,
    Machine,
    Point,
    Position,
    RecordLayout,
    Suspend,
    Switch,
)
from lfc.base.source import Span
from lfc.semantics.model import typed


@dataclass(frozen=True, slots=True, order=True)
class Region:
    base: str  # block, position, record, frame, positions:P, slots:P
    offset: int
    size: int
    what: str


@dataclass(slots=True)
class End:
    """One way in which an action may end."""

    kind: str  # attempt, reschedule, choice, end
    span: Span
    next: list[int]  # the positions where the process may then be: ready ones first; none after the end of a process


@dataclass(slots=True)
class Action:
    position: Position
    reads: list[Region]
    writes: list[Region]
    asks: list[str]
    ends: list[End]
    spans: list[Span]
    length: int | None  # statements and decisions on the longest path; None: no bound is known
    endless: list[Span] = field(default_factory=list)  # loops that may go round without a scheduling point


def action_table(machine: Machine) -> list[Action]:
    """Of the program, in the order of the positions. A return position starts no action: control comes back to it in
    the action that ends the call; nor does the start of a process that is only called."""
    table = Table(machine)
    return [table.action(p) for p in machine.positions if starts_action(p)]


def environment_table(machine: Machine) -> list[Action]:
    table = Table(machine)
    positions = [] if machine.environment is None else machine.environment.positions
    return [table.action(p) for p in positions if starts_action(p)]


def property_tables(machine: Machine) -> dict[str, list[Action]]:
    table = Table(machine)
    return {p.of.name: [table.action(q) for q in p.positions if starts_action(q)] for p in machine.properties}


def starts_action(position: Position) -> bool:
    if not position.ready or position.kind == "return":
        return False
    body = position.body
    return position.kind != "start" or body.process is None or body.created


@dataclass(slots=True)
class Path:
    """What one action may come through."""

    blocks: dict[tuple[Body, Block], None]
    effects: Effects


class Table:
    def __init__(self, machine: Machine, of: EffectsOf | None = None) -> None:
        self.machine = machine
        self.of = EffectsOf(machine) if of is None else of
        self.lengths = Lengths(machine)
        self._modules = {id(m.source): m.name for m in machine.program.modules}
        self.callers: dict[Body, list[tuple[Body, Block]]] = {}
        for body in machine.all_bodies():
            for block in body.blocks:
                if isinstance(block.end, CallWaiting):
                    self.callers.setdefault(block.end.callee, []).append((body, block))
        self._block_effects: dict[tuple[Body, Block], Effects] = {}
        self._answers: Effects | None = None

    def action(self, position: Position) -> Action:
        assert position.entry is not None
        body = position.body
        blocks = self.blocks_of(body, position.entry)
        effects = self.effects_of(blocks)
        effects.read([FrameField(body)])
        if effects.accesses_ports and self.machine.environment is not None:
            effects.add(self.answers())
        if effects.starts_environment:
            effects.add(self.starts())
        resolve = Resolve(self, body)
        length = self.lengths.of_action(body, position.entry)
        return Action(
            position=position,
            reads=resolve.regions(effects.reads),
            writes=resolve.regions(effects.writes),
            asks=sorted(effects.asks),
            ends=_ends(blocks, body),
            spans=_spans(blocks, self._modules),
            length=length,
            endless=[] if length is not None else self._endless(blocks),
        )

    # --- the way of control ---------------------------------------------------------------------------------------

    def blocks_of(self, body: Body, start: Block) -> dict[tuple[Body, Block], None]:
        """All blocks from `start` to the end of the action. A call made on the way returns to where it was made; the
        end of a called body that was not entered on the way returns to any of its callers."""
        found: dict[tuple[Body, Block], None] = {}
        left: set[Body] = set()
        self._follow(body, start, found)
        work = [body]
        while work:
            leaving = work.pop()
            if leaving in left or not (leaving.called and leaving.can_wait):
                continue
            ends = any(b is leaving and isinstance(block.end, Finish) for b, block in found)
            if not ends:
                continue
            left.add(leaving)
            for caller, call in self.callers.get(leaving, ()):
                assert isinstance(call.end, CallWaiting)
                assert call.end.position.entry is not None
                self._follow(caller, call.end.position.entry, found)
                work.append(caller)
        return found

    def _follow(self, body: Body, start: Block, found: dict[tuple[Body, Block], None]) -> None:
        stack = [(body, start)]
        while stack:
            key = stack.pop()
            if key in found:
                continue
            found[key] = None
            owner, block = key
            if isinstance(block.end, CallWaiting):
                callee = block.end.callee
                assert callee.entry is not None
                stack.append((callee, callee.entry))
                if callee not in self.lengths.finishing:
                    continue
            stack.extend((owner, follower) for follower in targets(block.end))

    def effects_of(self, blocks: dict[tuple[Body, Block], None]) -> Effects:
        effects = Effects()
        for body, block in blocks:
            effects.add(self.of_block(body, block))
        return effects

    def of_block(self, body: Body, block: Block) -> Effects:
        key = body, block
        if key not in self._block_effects:
            effects = Effects()
            for s in block.statements:
                effects.add(self.of.statement(body, s))
            effects.add(self._of_end(body, block))
            self._block_effects[key] = effects
        return self._block_effects[key]

    def _of_end(self, body: Body, block: Block) -> Effects:
        end = block.end
        effects = self.of.condition(body, end)
        match end:
            case Attempt():
                effects.add(self.of.attempt(end.point))
            case Suspend():
                effects.write([OfPosition(body)])
            case Choose():
                effects.ask("choice")
            case CallWaiting():
                effects.add(self.of.statement(body, end.call))
                effects.read([AroundFrame(body)])
                effects.write([AroundFrame(body)])
            case Finish() if body.has_positions:
                if body.called and body.can_wait:
                    effects.read([WholeRecord(body)])
                effects.write([WholeRecord(body), OfPosition(body)])
        return effects

    def answers(self) -> Effects:
        """What happens inside an action that accesses a port: an environment process that waits for it runs on."""
        if self._answers is None:
            self._answers = Effects()
            assert self.machine.environment is not None
            for body in self.machine.environment.bodies:
                for point in body.points:
                    for clause in point.clauses:
                        if _receives_access(clause.event) and self.of.hosts[body]:
                            self._answers.add(self._answer(point, body, clause.resume.entry))
            for record in self.may_run_on():
                self._answers.add(self.running_on(record))
        return self._answers

    def may_run_on(self) -> list[RecordLayout]:
        """Whose processes may run on within an action, because nobody waits for its access to a port."""
        return may_run_on(self.machine, self.blocks_of) if self.machine.environment is not None else []

    def running_on(self, record: RecordLayout) -> Effects:
        """Any of its actions may be done."""
        found = Effects()
        for body in bodies_of(record):
            own = self.effects_of({(body, block): None for block in body.blocks})
            own.read([FrameField(body), OfPosition(body)])
            own.write([OfPosition(body)])
            found.add(self.of.as_of_others(own, body))
        return found

    def starts(self) -> Effects:
        """What happens when environment processes are created: they run at once, and may access ports."""
        effects = Effects()
        assert self.machine.environment is not None
        for body in self.machine.environment.bodies:
            if body.created and body.entry is not None:
                own = self.effects_of(self.blocks_of(body, body.entry))
                own.read([FrameField(body)])
                effects.add(self.of.as_of_others(own, body))
        effects.add(self.answers())
        return effects

    def _answer(self, point: Point, body: Body, start: Block | None) -> Effects:
        assert start is not None
        effects = Effects()
        effects.read([OfPosition(body)])
        effects.add(self.of.attempt(point))
        effects.add(self.effects_of(self.through_choices(body, start)))
        return self.of.as_of_others(effects, body)

    def through_choices(self, body: Body, start: Block) -> dict[tuple[Body, Block], None]:
        """A CHOICE on the way does not end an answer."""
        blocks: dict[tuple[Body, Block], None] = {}
        work = [(body, start)]
        while work:
            for owner, block in self.blocks_of(*work.pop()):
                if (owner, block) in blocks:
                    continue
                blocks[owner, block] = None
                if isinstance(block.end, Suspend) and block.end.position.kind == "choice":
                    assert block.end.position.entry is not None
                    work.append((owner, block.end.position.entry))
        return blocks

    def _endless(self, blocks: dict[tuple[Body, Block], None]) -> list[Span]:
        """Loops without a bound that this action can get into."""
        found: list[Span] = []
        seen: set[Body] = set()
        work = list(dict.fromkeys(body for body, _ in blocks))
        inside = {block for _, block in blocks}
        while work:
            body = work.pop(0)
            if body in seen:
                continue
            seen.add(body)
            for head, span in self.lengths.loops_without_bound(body).items():
                if (head in inside or not body.has_positions) and span not in found:
                    found.append(span)
            called = [s for b in body.blocks if not body.has_positions or b in inside for s in b.statements]
            work += [body.callees[s] for s in called if isinstance(s, typed.CallProcess)]
        return found


class Resolve:
    """Places become regions, seen from an action that starts in `body`."""

    def __init__(self, table: Table, body: Body) -> None:
        self.hosts = table.of.hosts[body]
        self.body = body
        self.all_hosts = table.of.hosts

    def regions(self, places: dict[Place, None]) -> list[Region]:
        found = {region for place in places for region in self.region(place) if region.size > 0}
        return without_contained(sorted(found))

    def region(self, place: Place) -> list[Region]:
        match place:
            case InBlock():
                return [Region("block", place.offset, place.size, place.what)]
            case AnySlot():
                return [Region(f"slots:{place.body.name}", place.offset, place.size, place.what)]
            case AnyPosition():
                return [
                    Region(f"positions:{place.body.name}", 0, r.slots * r.position_size, "position")
                    for r in self.all_hosts[place.body]
                    if r.body is place.body
                ]
            case OfPosition():
                return [Region("position", 0, max((r.position_size for r in self.hosts), default=0), "position")]
            case WholeRecord():
                return self._whole()
            case FrameField():
                return [
                    Region("record", r.frame_field_offset, r.frame_field_size, "frame")
                    for r in self.hosts
                    if r.frame_field_offset is not None
                ]
            case AroundFrame():
                return self._around(place.body)
        return self._in_frame(place)

    def _whole(self) -> list[Region]:
        return [Region("record", 0, max((r.stride for r in self.hosts), default=0), "record")]

    def _in_frame(self, place: InFrame) -> list[Region]:
        shared = [r for r in self.all_hosts[place.body] if r in self.hosts]
        if not shared:
            return []  # what a VAR parameter may stand for in some other process
        if not place.body.called:
            return [Region("record", r.frame0 + place.offset, place.size, place.what) for r in shared]
        if place.body is self.body and not place.body.recursive:
            return [Region("frame", place.offset, place.size, place.what)]
        return self._whole()

    def _around(self, body: Body) -> list[Region]:
        if body.called:
            return self._whole()
        found = []
        for record in self.all_hosts[body]:
            end = record.stride if record.calls_offset is None else record.calls_offset
            found.append(Region("record", 0, record.frame0, "frame and counts"))
            found.append(Region("record", end, record.stride - end, "frames of calls"))
        return found


def without_contained(regions: list[Region]) -> list[Region]:
    """Leaves out what lies inside of another region. They are sorted."""
    kept: list[Region] = []
    for r in regions:
        if not any(
            k is not r
            and k.base == r.base
            and k.offset <= r.offset
            and r.offset + r.size <= k.offset + k.size
            and (k.size > r.size or k.what < r.what)
            for k in regions
        ):
            kept.append(r)
    return kept


def _receives_access(event: typed.Statement) -> bool:
    return isinstance(event, typed.Receive) and isinstance(event.port, typed.IoPort)


def _ends(blocks: dict[tuple[Body, Block], None], start: Body) -> list[End]:
    found: list[End] = []
    for body, block in blocks:
        end = block.end
        if isinstance(end, Attempt):
            point = end.point
            after = [c.resume.number for c in point.clauses]
            after += [p.number for p in (point.otherwise, point.waiting) if p is not None]
            found.append(End("attempt", end.span, after))
        elif isinstance(end, Suspend):
            found.append(End(end.position.kind, end.span, [end.position.number]))
        elif isinstance(end, Finish) and (body.created or body.process is None):
            if not any(e.kind == "end" for e in found):
                found.append(End("end", end.span, []))
    return sorted(found, key=lambda e: (e.next, e.span.start))


def _spans(blocks: dict[tuple[Body, Block], None], modules: Mapping[int, str]) -> list[Span]:
    """By module and place: a path says where a file lies, not what the program is."""
    found: dict[Span, None] = {}
    for _, block in blocks:
        for s in block.statements:
            found[s.span] = None
        match block.end:
            case Branch():
                found[block.end.condition.span] = None
            case Switch():
                found[block.end.selector.span] = None
            case Attempt() | Suspend() | CallWaiting() | Finish():
                found[block.end.span] = None
    return sorted(found, key=lambda s: (modules.get(id(s.source), ""), s.start, s.end))

"""MONITOR modules: what they watch, and handlers, which only watch."""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.semantics.declarations import analyse_process, declare_all, declare_processes, initial_values
from lfc.semantics.expressions.constants import constant
from lfc.semantics.expressions.conversions import assignable
from lfc.semantics.expressions.designators import designate
from lfc.semantics.expressions.system import PORTIN, PORTOUT
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import COMPUTING, expressions_of, root_variable, statements, subexpressions
from lfc.semantics.names.context import Context, text_of
from lfc.semantics.names.scope import Predeclared, Scope, span_of
from lfc.semantics.statements.functions import complete_functions
from lfc.syntax.grammar import tree

ACCESSES = {  # by name: the message of SYSTEM.IOPORT whose values it has, and one for what is read
    "PORTIN": (typed.Occasion.PORTIN, [*PORTIN.types, ty.UINT32]),
    "PORTOUT": (typed.Occasion.PORTOUT, list(PORTOUT.types)),
}
COMPUTES = (*COMPUTING, typed.CallProcess)  # all that a handler is made of


@dataclass(slots=True)
class Event:
    """What an occasion stands for."""

    occasion: typed.Occasion
    types: list[ty.Type]  # of its values
    process: typed.Process | None = None
    message: ty.Message | None = None
    port: typed.Expr | None = None  # of a meeting on this channel alone
    constants: list[typed.Constant | None] = field(default_factory=list)
    names: list[tree.Ident | None] = field(default_factory=list)


def analyse_monitor(ctx: Context, node: tree.Module, beside: typed.Module | None) -> None:
    """Declarations, then handlers, which see every name. With OF a module they see all of its names too."""
    assert node.handlers is not None
    if beside is not None:
        ctx.scope.parent = ctx.module_scopes.scopes[beside]
        for imported in beside.imported_names:
            if imported.module is None:
                ctx.pseudo_modules.setdefault(imported, "Clock" if imported.alias == "Clock" else "SYSTEM")
    processes = declare_processes(ctx, node.declarations)
    for p in declare_all(ctx, node.declarations, processes):
        ctx.report("LF0806", p.name.span, f"property `{p.name.text}` stands in a monitor: it belongs into a module")
    for process_node, process in processes.items():
        analyse_process(ctx, process_node, process)
    ctx.module.body = initial_values(ctx, ctx.module)
    before, ctx.late = ctx.late, True
    for number, handler in enumerate(node.handlers):
        _handler(ctx, handler, number)
    ctx.late = before
    for process in ctx.module.processes:
        _only_watches(ctx, process)
    complete_functions(ctx)


def _handler(ctx: Context, node: tree.Handler, number: int) -> None:
    if not node.occasions:
        if any(w.occasion is typed.Occasion.END for w in ctx.module.watches):
            ctx.report("LF0813", node.span, "there is an `AT END` before: write all of it there")
            return
        ending = _process(ctx, f"AT END {number}", node, None)
        alive = typed.Variable("alive", ty.UINT16, typed.VariableKind.MODULE, ctx.module, node.span, exported=True)
        ctx.module.alive = alive
        ctx.module.variables.append(alive)
        one = typed.Constant(node.span, ty.UINT16, 1)
        ctx.module.body.append(typed.Assign(node.span, typed.VariableRef(node.span, ty.UINT16, alive), one))
        ctx.module.watches.append(typed.Watch(typed.Occasion.END, ending))
        return
    several = len(node.occasions) > 1
    body = _process(ctx, f"ON {number}", node, None) if several else None
    handler: typed.Process | None
    for at, occasion in enumerate(node.occasions):
        event = _event(ctx, occasion)
        if event is None:
            continue
        if several and any(event.names):
            name = next(n for n in event.names if n is not None)
            ctx.report(
                "LF0813", name.span, f"`{name.name}` has a value on some of these events only: give it its own ON"
            )
            continue
        handler = body
        if body is None or any(c is not None for c in event.constants) or event.port is not None:
            handler = _process(ctx, f"ON {number}.{at}" if several else f"ON {number}", node, event, body)
        elif event.types:
            handler = _process(ctx, f"ON {number}.{at}", node, event, body)
        assert handler is not None
        values = [None if c is None or not isinstance(c.value, int) else c.value for c in event.constants]
        watch = typed.Watch(event.occasion, handler, event.process, event.message, tuple(values))
        ctx.module.watches.append(watch)


def _process(
    ctx: Context, name: str, node: tree.Handler, event: Event | None, body: typed.Process | None = None
) -> typed.Process:
    """The handler as a process that is called. `body`: what several events share, which it calls."""
    process = typed.Process(name, ctx.module, None, node.span, exported=True)
    process.end_span = Span(node.span.source, max(node.span.end - 1, 0), node.span.end)
    ctx.module.processes.append(process)
    scope, outer = ctx.scope, ctx.process
    ctx.scope, ctx.process = Scope(scope), process
    if ctx.occurrences is not None:
        ctx.occurrences.note_place(node.span, ctx.scope, process)
    condition = _formals(ctx, process, event, node.span) if event is not None else None
    if body is not None:
        inner: list[typed.Statement] = [typed.CallProcess(node.span, body, [])]
    else:
        inner = ctx.statements(node.body)
    process.body = inner if condition is None else [typed.If(node.span, [(condition, inner)], [])]
    ctx.scope, ctx.process = scope, outer
    return process


def _formals(ctx: Context, process: typed.Process, event: Event, span: Span) -> typed.Expr | None:
    """Declares what the handler takes; the condition under which it does something."""
    tests: list[typed.Expr] = []

    def formal(name: str, t: ty.Type, at: Span, kind: typed.VariableKind = typed.VariableKind.VALUE) -> typed.Variable:
        v = typed.Variable(name, t, kind, process, at)
        v.used = True
        process.formals.append(v)
        return v

    if event.process is not None:
        for f in event.process.stated_formals:
            own = formal(f.name, f.type, f.span, f.kind)
            own.direction = f.direction
            ctx.scope.names[f.name] = own
        return None
    if event.message is not None and event.port is not None:
        channel = formal("channel", event.port.type, event.port.span)
        mine = typed.VariableRef(event.port.span, channel.type, channel)
        tests.append(typed.Relation(event.port.span, ty.BOOLEAN, "=", mine, event.port))
    constants = event.constants or [None] * len(event.types)
    names = event.names or [None] * len(event.types)
    for i, (t, c, name) in enumerate(zip(event.types, constants, names, strict=True)):
        v = formal(f"value {i}" if name is None else name.name, t, span if name is None else name.span)
        if name is not None:
            ctx.declare(name.name, v, name.span)
        if c is not None:
            given = typed.VariableRef(c.span, t, v)
            tests.append(typed.Relation(c.span, ty.BOOLEAN, "=", given, c))
    found: typed.Expr | None = None
    for test in tests:
        found = test if found is None else typed.Logical(test.span, ty.BOOLEAN, "&", found, test)
    return found


# --- events ----------------------------------------------------------------------------------------------------


def _event(ctx: Context, node: tree.Occasion) -> Event | None:
    """None after a report."""
    event = _access(ctx, node) or _meeting(ctx, node)
    if event is None:
        return _call(ctx, node)
    if event.occasion is typed.Occasion.MEETING and event.message is None:
        return None
    if node.returns:
        return _no_event(ctx, node, "only a call returns")
    return _with_values(ctx, node, event)


def _access(ctx: Context, node: tree.Occasion) -> Event | None:
    if isinstance(node.what, tree.Ident) and node.what.name in ACCESSES:
        meaning = designate(ctx, node.what, called=True)
        if isinstance(meaning, Predeclared):
            occasion, types = ACCESSES[node.what.name]
            return Event(occasion, types)
    return None


def _meeting(ctx: Context, node: tree.Occasion) -> Event | None:
    """A message of a port, or of all channels of a type. None: it is neither."""
    if not isinstance(node.what, tree.Field):
        return None
    base = node.what.base
    root = base
    while isinstance(root, tree.Field | tree.Index):
        root = root.base
    if not isinstance(root, tree.Ident):
        return None
    meaning = designate(ctx, base)
    if isinstance(meaning, typed.NamedType):
        channel, port = meaning.type, None
    elif isinstance(meaning, typed.Expr):
        channel, port = meaning.type, meaning
        if channel is ty.ERROR:
            return Event(typed.Occasion.MEETING, [])
    else:
        return None
    if not isinstance(channel, ty.ChannelType):
        _no_event(ctx, node, f"`{text_of(base.span)}` is no port, and no channel type")
        return Event(typed.Occasion.MEETING, [])
    name = node.what.name
    for message in channel.messages:
        if message.name == name.text:
            ctx.unknown_members.seen.add(message)
            ctx.note(name.span, message)
            return Event(typed.Occasion.MEETING, list(message.types), message=message, port=port)
    ctx.unknown_members.add(channel, name.text, name.span)
    return Event(typed.Occasion.MEETING, [])


def _call(ctx: Context, node: tree.Occasion) -> Event | None:
    meaning = designate(ctx, node.what, called=True)
    if isinstance(meaning, typed.Expr) and meaning.type is ty.ERROR:
        return None
    if not isinstance(meaning, typed.Process) or meaning.is_property:
        return _no_event(ctx, node, "an event is a call of a PROCESS, `port.message`, `PORTIN` or `PORTOUT`")
    if meaning.is_procedure:
        why = "it computes a value, in guards and properties too, so that how often it is called means nothing"
        return _no_event(ctx, node, f"`{meaning.name}` is a PROCEDURE: {why}")
    if meaning.external:
        return _no_event(ctx, node, f"`{meaning.name}` is EXTERNAL: watch what calls it")
    if meaning.module is ctx.module:
        return _no_event(ctx, node, f"`{meaning.name}` is the monitor's own")
    if node.values is not None:
        return _no_event(
            ctx, node, f"the parameters of `{meaning.name}` have their own names here: leave the values out"
        )
    return Event(typed.Occasion.RETURN if node.returns else typed.Occasion.CALL, [], process=meaning)


def _with_values(ctx: Context, node: tree.Occasion, event: Event) -> Event | None:
    if node.values is None:
        return event
    if len(node.values) != len(event.types):
        expected = f"{len(event.types)} value{'s' * (len(event.types) != 1)}"
        return _no_event(ctx, node, f"`{text_of(node.what.span)}` has {expected}, not {len(node.values)}")
    for t, value in zip(event.types, node.values, strict=True):
        named = isinstance(value, tree.Ident) and not _is_constant(ctx, value.name)
        event.names.append(value if named and isinstance(value, tree.Ident) else None)
        if named:
            event.constants.append(None)
            continue
        given = assignable(ctx, constant(ctx, value, t), t, "this value of the event")
        if not isinstance(given, typed.Constant) or given.type is ty.ERROR:
            return None
        event.constants.append(given)
    return event


def _is_constant(ctx: Context, name: str) -> bool:
    found = next((s.names[name] for s in ctx.scope.outward() if name in s.names), None)
    return isinstance(found, typed.NamedConstant)


def _no_event(ctx: Context, node: tree.Occasion, why: str) -> Event | None:
    ctx.report("LF0813", node.span, f"a monitor cannot watch `{text_of(node.span)}`: {why}")
    return None


# --- what handlers may do ----------------------------------------------------------------------------------------


def _only_watches(ctx: Context, process: typed.Process) -> None:
    """Of a handler, and of what the monitor declares."""
    for p in process.nested:
        ctx.report("LF0812", p.span, "processes stand beside the handlers of a monitor, not in each other")
    if process.is_procedure:
        return
    for s in statements(process.body):
        if not isinstance(s, COMPUTES):
            ctx.report(
                "LF0812", s.span, "a monitor computes: it does not communicate, wait, create, read or write ports"
            )
            continue
        if isinstance(s, typed.CallProcess) and s.process.module is not ctx.module:
            ctx.report("LF0812", s.span, f"a monitor calls its own processes only, and `{s.process.name}` is none")
            continue
        _reads_no_input(ctx, s)
        for v, span in _changed(s):
            own = v.owner is ctx.module or (v.owner is process and not (process.exported and v in process.formals))
            if not own:
                where = span_of(v)
                notes = [Note(f"`{v.name}` is declared here", where)] if where is not None else []
                message = f"a monitor only watches: it changes its own variables, and `{v.name}` is none"
                ctx.report("LF0814", span, message, *notes)


def _changed(s: typed.Statement) -> list[tuple[typed.Variable, Span]]:
    """The variables that a statement writes by itself, or passes as VAR."""
    places: list[typed.Expr] = []
    match s:
        case typed.Assign() | typed.Step():
            places = [s.target]
        case typed.Include():
            places = [s.set]
        case typed.For():
            return [(s.variable, s.span)]
        case typed.CallProcess():
            places = [a.value for a in s.arguments if a.formal.kind is typed.VariableKind.VAR]
    return [(root, e.span) for e in places if (root := root_variable(e)) is not None]


def _reads_no_input(ctx: Context, s: typed.Statement) -> None:
    for e in expressions_of(s):
        for part in subexpressions(e):
            if (isinstance(part, typed.FunctionCall) and part.name.startswith(("PORTIN", "Clock."))) or (
                isinstance(part, typed.VariableRef) and part.variable.outside
            ):
                ctx.report("LF0812", part.span, f"a monitor reads no inputs, and `{text_of(part.span)}` is one")

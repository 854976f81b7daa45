"""Constants, types, variables, ports and processes."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Fix, Note
from lfc.semantics.assumptions import declare_assumption
from lfc.semantics.expressions.constants import constant, constant_integer
from lfc.semantics.expressions.conversions import assignable, is_integer
from lfc.semantics.expressions.type_expressions import formal_type, type_expression
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context
from lfc.semantics.names.scope import Misnamed, Scope
from lfc.semantics.statements.external import check_external
from lfc.semantics.statements.functions import check_inside, procedure_heading
from lfc.syntax.grammar import tree

FAIRNESS = {"WEAK": "weak", "FAIR": "weak", "STRONG": "strong"}


def declare_processes(ctx: Context, declarations: list[tree.Decl]) -> dict[tree.ProcessDecl, typed.Process]:
    """Their names, before all else: a process may be used before its declaration."""
    found = {}
    for node in declarations:
        if isinstance(node, tree.ProcessDecl):
            name = node.name
            process = typed.Process(name.text, ctx.module, ctx.process, name.span, _exported(ctx, name))
            if node.closing is not None and node.closing.text != name.text:
                ctx.unknown.closing_names[process] = node.closing.text
            ctx.declare(name.text, process, name.span)
            found[node] = process
            process.is_procedure = node.is_procedure
            owner = ctx.module if ctx.process is None else ctx.process
            if node.is_procedure and not node.effects and not any(f.is_var for f in node.formals):
                owner.functions.append(process)
            else:
                (owner.processes if isinstance(owner, typed.Module) else owner.nested).append(process)
    return found


def declare_all(
    ctx: Context, declarations: list[tree.Decl], processes: dict[tree.ProcessDecl, typed.Process]
) -> list[tree.PropertyDecl]:
    """Everything but the insides of processes and properties, in the order of the text. Returns the properties."""
    properties = []
    for node in declarations:
        if isinstance(node, tree.Section):
            ctx.channels = _channel_types(ctx, node)
            for inner in node.declarations:
                _declaration(ctx, inner, declarations)
            ctx.channels = {}
        elif isinstance(node, tree.ProcessDecl):
            _heading(ctx, node, processes[node])
        elif isinstance(node, tree.PropertyDecl):
            properties.append(node)
        else:
            _declaration(ctx, node, declarations)
    return properties


def _declaration(ctx: Context, node: tree.Decl, around: list[tree.Decl]) -> None:
    if isinstance(node, tree.ConstDecl):
        _constant(ctx, node)
    elif isinstance(node, tree.TypeDecl):
        _type(ctx, node)
    elif isinstance(node, tree.VarDecl):
        _variables(ctx, node, around)
    elif isinstance(node, tree.PortDecl):
        _ports(ctx, node, around)
    elif isinstance(node, tree.AssumptionDecl):
        declare_assumption(ctx, node)


def _channel_types(ctx: Context, section: tree.Section) -> dict[str, typed.NamedType]:
    """The channel types of a TYPE section know each other: a port in a message is a number, nothing is contained."""
    found: dict[str, typed.NamedType] = {}
    for node in section.declarations:
        if isinstance(node, tree.TypeDecl) and isinstance(node.type, tree.ChannelType):
            name = node.name
            channel = ty.ChannelType(name.text)
            ctx.module.channel_types.append(channel)
            found.setdefault(name.text, typed.NamedType(name.text, channel, name.exported, name.span))
    return found


def _exported(ctx: Context, name: tree.IdentDef) -> bool:
    if name.exported and ctx.process is not None:
        at = name.span.source.text.find("*", name.span.start, name.span.end + 2)
        star = Span(name.span.source, at, at + 1) if at >= 0 else name.span
        fix = Fix(star, "", "leave the star out") if at >= 0 else None
        ctx.report("LF0312", name.span, f"`{name.text}` is local: the star does not export it", fix=fix)
        return False
    return name.exported


def _constant(ctx: Context, node: tree.ConstDecl) -> None:
    name = node.name
    stated = None if node.type is None else type_expression(ctx, node.type)
    value = constant(ctx, node.value, stated)
    if stated is not None and value.type is not ty.ERROR:
        fitting = assignable(ctx, value, stated, f"`{name.text}`") if stated is not ty.ERROR else value
        wrong = typed.Constant(value.span, ty.ERROR, 0)
        value = fitting if isinstance(fitting, typed.Constant) and stated is not ty.ERROR else wrong
    value = _defined(ctx, name, value)
    exported = _exported(ctx, name)
    if value.type is ty.ERROR:
        ctx.declare(name.text, Misnamed(name.text, name.span), name.span)
        return
    symbol = typed.NamedConstant(name.text, value.type, value.value, exported, name.span, free=value.free)
    ctx.declare(name.text, symbol, name.span)
    ctx.owner.constants.append(symbol)


def _defined(ctx: Context, name: tree.IdentDef, value: typed.Constant) -> typed.Constant:
    """What the command line says instead, if it does: a value that fits the type of the one in the text."""
    other = ctx.module_scopes.definitions.get((ctx.module.name, name.text)) if ctx.process is None else None
    if other is None or value.type is ty.ERROR:
        return value
    other.used = True
    before = len(ctx.diagnostics.items)
    given = constant(ctx, other.value, value.type)
    if given.type is ty.ERROR:
        fitting: typed.Expr = given
    elif value.free and given.free and is_integer(value.type) and is_integer(given.type):
        fitting = given  # a number that adapts to its place, as the one in the text does
    else:
        fitting = assignable(ctx, given, value.type, f"`{name.text}`", Note("it is declared here", name.span))
    if len(ctx.diagnostics.items) > before or not isinstance(fitting, typed.Constant):
        return typed.Constant(value.span, ty.ERROR, 0)
    return typed.Constant(value.span, fitting.type, fitting.value, fitting.free)


def _type(ctx: Context, node: tree.TypeDecl) -> None:
    name = node.name
    exported = _exported(ctx, name)
    before, ctx.declaring = ctx.declaring, name.text
    t = type_expression(ctx, node.type, name.text, exported)
    ctx.declaring = before
    symbol = ctx.channels.get(name.text)
    if symbol is None or symbol.type is not t:
        symbol = typed.NamedType(name.text, t, exported, name.span)
    symbol.exported = exported
    ctx.declare(name.text, symbol, name.span)
    ctx.owner.types.append(symbol)


def _add_variable(ctx: Context, variable: typed.Variable) -> None:
    ctx.declare(variable.name, variable, variable.span)
    owner = ctx.owner
    (owner.variables if isinstance(owner, typed.Module) else owner.locals).append(variable)


def _variables(ctx: Context, node: tree.VarDecl, declarations: list[tree.Decl]) -> None:
    address = None if node.address is None else _address(ctx, node.address)
    t = type_expression(ctx, node.type)
    if ty.is_port(t):
        _report_port_as_variable(ctx, node, declarations)
    elif node.address is not None and t is not ty.ERROR and not isinstance(t, ty.REGISTERS):
        ctx.report("LF0420", node.type.span, f"a device register is a number, a CHAR or a set, not {t}")
        t = ty.ERROR
    elif node.nonatomic and t is not ty.ERROR and not is_element(t):
        message = (
            f"a NONATOMIC variable is a number, a CHAR, a BOOLEAN, an enumeration, a set, or an array of these, not {t}"
        )
        ctx.report("LF0420", node.type.span, message)
        t = ty.ERROR
    elif node.nonatomic and node.address is None and ctx.process is not None:
        message = "a NONATOMIC variable belongs to a module: nothing outside of the program knows those of a process"
        ctx.report("LF0420", node.span, message)
    for name in node.names:
        kind = typed.VariableKind.LOCAL if ctx.process is not None else typed.VariableKind.MODULE
        exported = _exported(ctx, name)
        variable = typed.Variable(name.text, t, kind, ctx.owner, name.span, exported, address, node.nonatomic)
        _add_variable(ctx, variable)
        if node.initial is not None and not ty.is_port(t):
            ctx.initials.setdefault(ctx.owner, []).append(_initial_value(node, name, node.initial))


def is_element(t: ty.Type) -> bool:
    """Or an array of such."""
    while isinstance(t, ty.ArrayType):
        t = t.element
    known = isinstance(t, (*ty.REGISTERS, ty.BooleanType, ty.SubrangeType, ty.EnumerationType))
    return known and not isinstance(t, ty.FixedType)


def _initial_value(node: tree.VarDecl, name: tree.IdentDef, value: tree.Expr) -> tree.Assign:
    """An assignment before all statements. Its place in the text is `:= value`."""
    source = value.span.source
    becomes = source.text.find(":=", node.type.span.end, value.span.start)
    span = Span(source, becomes if becomes >= 0 else value.span.start, value.span.end)
    return tree.Assign(span, tree.Ident(name.span, name.text), value)


def initial_values(ctx: Context, owner: typed.Module | typed.Process) -> list[typed.Statement]:
    """Of the variables of a module or a process, in the order of the text; their names are known from there on."""
    return ctx.statements(list(ctx.initials.pop(owner, [])))


def _address(ctx: Context, node: tree.Expr) -> int | None:
    address = constant_integer(ctx, node, "an address")
    if address is not None and address < 0:
        ctx.report("LF0502", node.span, f"an address is not negative: {address}")
        return None
    return address


def _report_port_as_variable(ctx: Context, node: tree.VarDecl, declarations: list[tree.Decl]) -> None:
    names = ", ".join(f"`{n.text}`" for n in node.names)
    message = f"{names} {'are ports' if len(node.names) > 1 else 'is a port'}: declare with PORT, not VAR"
    _report_wrong_section(ctx, "LF0601", node, declarations, node.span, message)


def _report_wrong_section(
    ctx: Context,
    code: str,
    node: tree.VarDecl | tree.PortDecl,
    declarations: list[tree.Decl],
    span: Span,
    message: str,
    *notes: Note,
) -> None:
    """Once in a section: what is missing is probably the keyword of the next one."""
    keyword, other = ("VAR", "PORT") if isinstance(node, tree.VarDecl) else ("PORT", "VAR")
    fix = None
    for section in declarations:
        if isinstance(section, tree.Section) and any(node is d for d in section.declarations):
            if id(section) in ctx.wrong_sections:
                return
            ctx.wrong_sections.add(id(section))
            source, start = section.span.source, section.span.start
            if len(section.declarations) == 1:
                if source.text.startswith(keyword, start):
                    fix = Fix(Span(source, start, start + len(keyword)), other, f"write {other}")
            elif section.declarations[0] is not node:
                fix = Fix(Span(source, node.span.start, node.span.start), f"{other} ", f"put {other} before it")
    ctx.report(code, span, message, *notes, fix=fix)


def _ports(ctx: Context, node: tree.PortDecl, declarations: list[tree.Decl]) -> None:
    t = type_expression(ctx, node.type)
    most = None if node.max is None else _bound(ctx, node.max)
    if t is not ty.ERROR and not ty.is_port(t):
        note = Note(
            "the type of a port is a channel type, `[message(...), ...]`; other variables are declared with VAR"
        )
        message = f"a port has a channel type, and {t} is none"
        _report_wrong_section(ctx, "LF0605", node, declarations, node.type.span, message, note)
        t = ty.ERROR
    for name in node.names:
        kind = typed.VariableKind.LOCAL if ctx.process is not None else typed.VariableKind.MODULE
        exported = _exported(ctx, name)
        variable = typed.Variable(name.text, t, kind, ctx.owner, name.span, exported)
        variable.max_channels = most
        variable.declaration = node.span
        _add_variable(ctx, variable)


def _bound(ctx: Context, node: tree.Expr) -> int | None:
    most = constant_integer(ctx, node, "MAX")
    if most is not None and most < 1:
        ctx.report("LF0510", node.span, f"MAX is at least 1, not {most}")
        return None
    return most


# --- processes -------------------------------------------------------------------------------------------------


def _heading(ctx: Context, node: tree.ProcessDecl, process: typed.Process) -> None:
    for formal in node.formals:
        t = formal_type(ctx, formal.type)
        kind = typed.VariableKind.VAR if formal.is_var else typed.VariableKind.VALUE
        if formal.direction and t is not ty.ERROR and not ty.is_port(t):
            assert formal.mark is not None
            message = f"only ports send and receive: {t} is no channel type"
            fix = Fix(formal.mark, "", f"leave the `{formal.direction}` out")
            ctx.report("LF0605", formal.mark, message, fix=fix)
        for name in formal.names:
            variable = typed.Variable(name.text, t, kind, process, name.span)
            if ty.is_port(t):
                variable.direction, variable.mark = formal.direction, formal.mark
                variable.end = Span(formal.type.span.source, formal.type.span.end, formal.type.span.end)
            process.formals.append(variable)
    if process.is_procedure:
        procedure_heading(ctx, node, process)
        ctx.insides[process] = lambda: _inside(ctx, node, process)
    stated: set[str] = set()
    for attribute in node.attributes:
        what = "the fairness" if attribute.keyword in FAIRNESS else f"`{attribute.keyword}`"
        if what in stated:
            ctx.report("LF0202", attribute.span, f"{what} of `{process.name}` is stated already")
        stated.add(what)
        if attribute.keyword == "MAX" and attribute.value is not None:
            process.max_stated = _bound(ctx, attribute.value)
        elif attribute.keyword == "SERVER":
            process.server = True
        elif attribute.keyword == "EXTERNAL":
            process.external = True
        elif attribute.keyword in FAIRNESS:
            process.fairness = FAIRNESS[attribute.keyword]
    if process.external:
        check_external(ctx, node, process)
    if node.closing is not None:
        process.end_span = node.closing.span


def analyse_process(ctx: Context, node: tree.ProcessDecl, process: typed.Process) -> None:
    """What is inside, once: of a PROCEDURE a constant may have asked for it before."""
    if not process.is_procedure:
        _inside(ctx, node, process)
    elif process in ctx.insides:
        ctx.insides.pop(process)()


def _inside(ctx: Context, node: tree.ProcessDecl, process: typed.Process) -> None:
    """Declarations, nested processes, the statements."""
    scope, outer, loops, labels = ctx.scope, ctx.process, ctx.loops, ctx.labels
    ctx.scope, ctx.process, ctx.loops, ctx.labels = Scope(scope), process, 0, {}
    if ctx.occurrences is not None:
        ctx.occurrences.note_closing(node.closing, process)
        ctx.occurrences.note_place(node.span, ctx.scope, process)
    for formal in process.formals:
        ctx.declare(formal.name, formal, formal.span)
    nested = declare_processes(ctx, node.declarations)
    properties = declare_all(ctx, node.declarations, nested)
    for p in properties:
        ctx.report("LF0806", p.name.span, f"property `{p.name.text}` stands inside of a process: move it to the module")
    for nested_node, nested_process in nested.items():
        analyse_process(ctx, nested_node, nested_process)
    process.body = initial_values(ctx, process) + ctx.statements(node.body)
    if process.is_procedure:
        check_inside(ctx, process, node)
    if process.end_span is None:
        process.end_span = Span(node.span.source, max(node.span.start, node.span.end - 1), node.span.end)
    ctx.scope, ctx.process, ctx.loops, ctx.labels = scope, outer, loops, labels

"""Names, fields and indices, and what may be done with the variable that they lead to."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.semantics.expressions import system
from lfc.semantics.expressions.conversions import (
    any_integer,
    assignable,
    certain_fault,
    settled,
    shown,
    string_constant,
)
from lfc.semantics.model import tables, typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import root_variable
from lfc.semantics.names.context import Context, expression_rule, text_of
from lfc.semantics.names.scope import Misnamed, Predeclared, Symbol, kind_of, span_of
from lfc.semantics.names.universe import PSEUDO_MODULES
from lfc.semantics.names.unknown_names import did_you_mean
from lfc.syntax.grammar import tree

MOST_EXPORTS_NAMED = 12  # in a note on a name that a module does not have


@dataclass(slots=True, eq=False)
class ProcessSlot:
    """`P[i]`, in properties."""

    process: typed.Process
    slot: typed.Expr
    span: Span


Meaning = typed.Expr | Symbol | ProcessSlot


@expression_rule(tree.Ident)
@expression_rule(tree.Field)
@expression_rule(tree.Index)
def designator_value(ctx: Context, node: tree.Expr, expected: ty.Type | None) -> typed.Expr:
    meaning = designate(ctx, node)
    if isinstance(meaning, typed.Expr):
        if isinstance(meaning, typed.SYSTEM_PORTS):
            return ctx.error(
                "LF0613", node.span, f"`{text_of(node.span)}` can only be communicated with: it is not a value"
            )
        return meaning
    if isinstance(meaning, Predeclared):
        if meaning.name == "Clock.Now":
            return system.clock_now(ctx, node.span)
        if meaning.name in ("SYSTEM.IOPORT", "SYSTEM.INT"):
            return ctx.error("LF0613", node.span, f"`{meaning.name}` can only be communicated with: it is not a value")
        return ctx.error("LF0308", node.span, f"`{meaning.name}` is {kind_of(meaning)}: call it with its arguments")
    if isinstance(meaning, ProcessSlot):
        return ctx.error("LF0308", node.span, f"`{text_of(node.span)}` is a process, not a value")
    where = span_of(meaning)
    notes = [Note(f"`{meaning_name(meaning)}` is declared here", where)] if where is not None else []
    if isinstance(meaning, typed.Process) and meaning.is_procedure:
        notes.insert(0, Note(f"call it: `{text_of(node.span)}()`"))
    return ctx.error("LF0308", node.span, f"`{text_of(node.span)}` is {kind_of(meaning)}, not a value", *notes)


def look_at(ctx: Context, nodes: list[tree.Expr]) -> None:
    """For the names in arguments of which nobody knows what they are for: types may be among them."""
    for node in nodes:
        if isinstance(node, tree.Ident | tree.Field):
            designate(ctx, node)
        else:
            ctx.expression(node)


def meaning_name(symbol: Symbol) -> str:
    return symbol.alias if isinstance(symbol, typed.ImportedName) else symbol.name


def designate(ctx: Context, node: tree.Expr, called: bool = False) -> Meaning:
    """What a designator stands for: an expression, or a module, type, process or predeclared name. `called`: as a
    statement, so that what is like an unknown name must be one that can be called."""
    path: list[tree.Field | tree.Index] = []
    at = node
    while isinstance(at, tree.Field | tree.Index):
        path.append(at)
        at = at.base
    if isinstance(at, tree.Ident):
        meaning = _name(ctx, at.name, at.span)
    else:
        meaning = ctx.expression(at)
    for step in reversed(path):
        meaning = _field(ctx, step, meaning, called) if isinstance(step, tree.Field) else _index(ctx, step, meaning)
    return meaning


def _name(ctx: Context, name: str, span: Span) -> Meaning:
    symbol = ctx.lookup(name, span)
    return typed.Constant(span, ty.ERROR, 0) if symbol is None else value_of(ctx, symbol, span)


def value_of(ctx: Context, symbol: Symbol, span: Span) -> Meaning:
    """Variables and constants become expressions; all else stays what it is."""
    if isinstance(symbol, typed.Variable):
        return variable_ref(ctx, symbol, span)
    if isinstance(symbol, typed.NamedConstant):
        return typed.Constant(span, symbol.type, symbol.value, symbol.free)
    return symbol


def variable_ref(ctx: Context, variable: typed.Variable, span: Span) -> typed.Expr:
    owner = variable.owner
    if owner is not ctx.process and isinstance(owner, typed.Process) and ctx.process is not None:
        ctx.uses.variables.setdefault(ctx.process, {}).setdefault(variable, span)
    if ctx.in_procedure and not _seen_by_procedure(ctx, variable, span):
        return typed.Constant(span, ty.ERROR, 0)
    if ctx.guard:
        if ty.is_port(variable.type):
            return ctx.error("LF0611", span, f"a guard reads variables only, but `{variable.name}` is a port")
        if variable.outside:
            message = f"a guard reads variables only, but `{variable.name}` is {_source_of_input(variable)}"
            return ctx.error("LF0611", span, message, Note("read it into a variable before the SELECT"))
    if ctx.constant:
        note = Note(f"`{variable.name}` is declared here, as a variable", variable.span)
        return ctx.error("LF0503", span, f"`{variable.name}` is not constant", note)
    if variable.outside and (ctx.formula or ctx.in_property):
        message = f"a property cannot read `{variable.name}`: it is {_source_of_input(variable)}"
        return ctx.error("LF0807", span, message)
    return typed.VariableRef(span, variable.type, variable)


def _seen_by_procedure(ctx: Context, variable: typed.Variable, span: Span) -> bool:
    """False after a report."""
    process, owner = ctx.process, variable.owner
    assert process is not None
    note = Note(f"`{variable.name}` is declared here", variable.span)
    if isinstance(owner, typed.Process) and owner is not process:
        message = f"a PROCEDURE sees no variables of the process around it: pass `{variable.name}` to it"
        ctx.report("LF0622", span, message, note)
        return False
    if ty.is_port(variable.type):
        ctx.report("LF0622", span, f"a PROCEDURE has nothing to do with ports, and `{variable.name}` is one", note)
        return False
    if variable.outside and variable not in process.stated_effects:
        message = f"`{process.name}` reads `{variable.name}`, {_source_of_input(variable)}: its heading has to say so"
        ctx.report("LF0623", span, message, note, Note(f"add `READS {variable.name}`, or WRITES if it changes it"))
        return False
    return True


def _source_of_input(variable: typed.Variable) -> str:
    return "a device register" if variable.address is not None else "NONATOMIC, so that each read of it is an input"


# --- base.name -------------------------------------------------------------------------------------------------


def _field(ctx: Context, node: tree.Field, base: Meaning, called: bool = False) -> Meaning:
    name = node.name
    if isinstance(base, typed.ImportedName):
        symbol = imported_symbol(ctx, base, name, called)
        return typed.Constant(node.span, ty.ERROR, 0) if symbol is None else value_of(ctx, symbol, node.span)
    if isinstance(base, typed.Process):
        return _process_variable(ctx, node, base, None)
    if isinstance(base, ProcessSlot):
        return _process_variable(ctx, node, base.process, base.slot)
    if not isinstance(base, typed.Expr):
        return ctx.error("LF0409", node.span, f"`{text_of(node.base.span)}` is {kind_of(base)}: it has no fields")
    t = base.type
    if t is ty.ERROR:
        return base
    if not isinstance(t, ty.RecordType):
        notes = []
        if isinstance(t, ty.ChannelType):
            port = text_of(node.base.span)
            notes.append(Note(f"a message is sent with `{port}!message` and received with `{port}?message`"))
        return ctx.error("LF0409", node.span, f"`{text_of(node.base.span)}` is no record: it has type {t}", *notes)
    for f in t.fields:
        if f.name == name.text:
            if f.span is not None and f.span.source is not ctx.module.source and not f.exported:
                note = Note(f"a star would export it: `{f.name}*`", f.span)
                return ctx.error("LF0411", name.span, f"field `{f.name}` of {t} is not exported", note)
            ctx.unknown_members.seen.add(f)
            ctx.note(name.span, f)
            if isinstance(base, typed.Constant) and isinstance(base.value, bytes):
                return typed.Constant(node.span, f.type, tables.field(t, base.value, f))
            return typed.FieldRef(node.span, f.type, base, f)
    if name.text in ctx.module_scopes.broken_fields.get(t, ()):
        return typed.Constant(node.span, ty.ERROR, 0)
    ctx.unknown_members.add(t, name.text, name.span)
    return typed.Constant(node.span, ty.ERROR, 0)


def imported_symbol(ctx: Context, base: typed.ImportedName, name: tree.Name, called: bool = False) -> Symbol | None:
    """`M.x`, from outside of M. None after a report."""
    if base.module is None:
        pseudo = PSEUDO_MODULES.get(ctx.pseudo_modules.get(base, ""))
        if pseudo is None:
            return None  # a module that was not found
        member = pseudo.members.get(name.text)
        if member is None:
            _report_no_such_export(ctx, pseudo.name, name, list(pseudo.members))
        else:
            ctx.note(name.span, member)
        return member
    scope = ctx.module_scopes.scopes.get(base.module)
    if scope is None:
        return None
    symbol = scope.names.get(name.text)
    if symbol is not None and not isinstance(symbol, typed.ImportedName | typed.Property):
        if getattr(symbol, "exported", True):
            ctx.mark_used(symbol)
            ctx.note(name.span, symbol)
            return None if isinstance(symbol, Misnamed) else symbol
        note = Note(_how_to_export(name.text, symbol), span_of(symbol))
        ctx.report("LF0302", name.span, f"module `{base.module.name}` does not export `{name.text}`", note)
        return None
    if base.module in ctx.module_scopes.incomplete:
        return None
    exported = [n for n, s in scope.names.items() if getattr(s, "exported", False)]
    if called:
        exported = [n for n in exported if isinstance(scope.names[n], typed.Process)]
    _report_no_such_export(ctx, base.module.name, name, exported)
    return None


def _how_to_export(name: str, symbol: Symbol) -> str:
    """A value of an enumeration has no star of its own."""
    if isinstance(symbol, typed.NamedConstant) and isinstance(symbol.type, ty.EnumerationType):
        if name in symbol.type.values:
            return f"it is exported with its type, by a star there: `{symbol.type}*`"
    return f"a star would export it: `{name}*`"


def _report_no_such_export(ctx: Context, module: str, name: tree.Name, exported: list[str]) -> None:
    hint, fix = did_you_mean(name.text, exported, name.span)
    notes = []
    if not hint and 0 < len(exported) <= MOST_EXPORTS_NAMED:
        notes.append(Note(f"it has {', '.join(f'`{e}`' for e in exported)}"))
    ctx.report("LF0302", name.span, f"module `{module}` has no `{name.text}`{hint}", *notes, fix=fix)


def _process_variable(ctx: Context, node: tree.Field, process: typed.Process, slot: typed.Expr | None) -> Meaning:
    name = node.name.text
    if not ctx.formula and not ctx.in_property:
        return ctx.error(
            "LF0804", node.span, f"`{text_of(node.span)}`: only a property sees the variables of a process"
        )
    for v in (*process.formals, *process.locals):
        if v.name == name:
            ctx.note(node.name.span, v)
            return typed.SlotVariable(node.span, v.type, process, slot, v)
    for p in process.nested:
        if p.name == name and slot is None:
            ctx.note(node.name.span, p)
            return p
    names = [v.name for v in (*process.formals, *process.locals) if v.kind is not typed.VariableKind.LIMIT]
    hint, fix = did_you_mean(name, names, node.name.span)
    return ctx.error("LF0410", node.name.span, f"process `{process.name}` has no variable `{name}`{hint}", fix=fix)


# --- base[index] -----------------------------------------------------------------------------------------------


def _index(ctx: Context, node: tree.Index, base: Meaning) -> Meaning:
    if isinstance(base, Predeclared) and base.name == "SYSTEM.INT":
        return system.interrupt_port(ctx, node)
    if isinstance(base, typed.Process) and len(node.indices) == 1:
        return _process_slot(ctx, node, base)
    if not isinstance(base, typed.Expr):
        kind = "a process" if isinstance(base, ProcessSlot) else kind_of(base)
        return ctx.error("LF0409", node.span, f"`{text_of(node.base.span)}` is {kind}: it has no elements")
    result = base
    for index in node.indices:
        result = _element(ctx, node, result, index)
        if result.type is ty.ERROR:
            break
    return result


def _element(ctx: Context, node: tree.Index, base: typed.Expr, index_node: tree.Expr) -> typed.Expr:
    t = base.type
    wanted = t.index if isinstance(t, ty.ArrayType) else None
    index = _index_value(ctx, ctx.expression(index_node, wanted), wanted)
    if t is ty.ERROR or index.type is ty.ERROR:
        return typed.Constant(node.span, ty.ERROR, 0)
    if not isinstance(t, ty.ArrayType | ty.OpenArrayType):
        text = text_of(base.span)
        closing = "]" if index_node is not node.indices[0] else ""  # `a[i` is the array of `a[i, j]`
        return ctx.error("LF0409", node.span, f"`{text}{closing}` is no array: it has type {t}")
    index = settled(index)
    last = index_node is node.indices[-1]
    span = node.span if last else Span(node.span.source, node.span.start, index_node.span.end)
    if isinstance(index, typed.Constant) and isinstance(index.value, int):
        if isinstance(t, ty.ArrayType) and not 0 <= index.value < t.length:
            message = f"index {shown(index)} is outside of {t}, which has the elements 0 to {t.length - 1}"
            if certain_fault(ctx, "LF0504", index.span, message):
                return typed.Constant(span, ty.ERROR, 0)
        elif isinstance(t, ty.OpenArrayType) and index.value < 0:
            certain_fault(ctx, "LF0504", index.span, f"index {shown(index)} is below 0")
        elif isinstance(base, typed.Constant) and isinstance(base.value, bytes) and isinstance(t, ty.ArrayType):
            return typed.Constant(span, t.element, tables.element(t, base.value, index.value))
    return typed.IndexRef(span, t.element, base, index)


def _index_value(ctx: Context, e: typed.Expr, wanted: ty.Type | None) -> typed.Expr:
    """A number; of an array whose elements have names, the number of such a name."""
    if wanted is None:
        return any_integer(ctx, e, "an index")
    e = assignable(ctx, e, wanted, "the index")
    if e.type is ty.ERROR:
        return e
    if isinstance(e, typed.Constant):
        return typed.Constant(e.span, ty.INTEGER, e.value)
    return typed.Convert(e.span, ty.INTEGER, e, checked=False)


def _process_slot(ctx: Context, node: tree.Index, process: typed.Process) -> Meaning:
    if not ctx.formula and not ctx.in_property:
        message = f"`{text_of(node.span)}`: only a property speaks of the slots of a process"
        return ctx.error("LF0804", node.span, message)
    slot = any_integer(ctx, ctx.expression(node.indices[0]), "a slot")
    if slot.type is ty.ERROR:
        return slot
    if isinstance(slot, typed.Constant) and isinstance(slot.value, int) and slot.value < 0:
        return ctx.error("LF0805", slot.span, "slots count from 0")
    return ProcessSlot(process, settled(slot), node.span)


# --- variables -------------------------------------------------------------------------------------------------


def variable(ctx: Context, node: tree.Expr, what: str) -> typed.Expr:
    """A designator that may be changed here; of the error type after a report. `what` says who changes it."""
    e = ctx.expression(node)
    return e if e.type is ty.ERROR else changeable(ctx, node, e, what)


def changeable(ctx: Context, node: tree.Expr, e: typed.Expr, what: str) -> typed.Expr:
    """The same for what has been analysed."""
    root = root_variable(e)
    if root is None:
        return _not_a_variable(ctx, node, e, what)
    note = Note(f"`{root.name}` is declared here", root.span)
    owner_module = root.owner if isinstance(root.owner, typed.Module) else root.owner.module
    if ctx.process is not None and ctx.process.is_property and root.owner is not ctx.process:
        message = f"a property changes only its own variables, and `{root.name}` is not one of them"
        return ctx.error("LF0801", e.span, message, note)
    if ctx.in_procedure and root.owner is not ctx.process:
        process = ctx.process
        assert process is not None
        if not process.stated_effects.get(root):
            message = f"`{process.name}` changes `{root.name}`: its heading has to say so"
            return ctx.error("LF0623", e.span, message, note, Note(f"add `WRITES {root.name}` to the heading"))
    if owner_module is not ctx.module:
        message = f"`{root.name}` can only be changed in module `{owner_module.name}`, which declares it"
        return ctx.error("LF0310", e.span, message, note)
    if isinstance(root.type, ty.OpenArrayType) and root.kind is typed.VariableKind.VALUE:
        message = f"`{root.name}` is an open array that is not a VAR parameter: it can only be read"
        return ctx.error("LF0416", e.span, message, Note("it may lie in constant memory; make it VAR", root.span))
    return e


def _not_a_variable(ctx: Context, node: tree.Expr, e: typed.Expr, what: str) -> typed.Expr:
    if isinstance(e, typed.Constant):
        kind = "a string" if string_constant(e) is not None else "a constant"
    elif isinstance(e, typed.SlotVariable):
        return ctx.error("LF0801", e.span, f"a property changes only its own variables, not `{text_of(node.span)}`")
    else:
        kind = "a value"
    return ctx.error("LF0416", node.span, f"{what} needs a variable, but `{text_of(node.span)}` is {kind}")

"""Calls and CREATE, and how arguments are passed."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.semantics.expressions.conversions import assignable, mismatch, string_constant, string_expression, unsigned
from lfc.semantics.expressions.designators import designate, look_at, meaning_name, variable
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import root_variable
from lfc.semantics.names.context import Context, statement_rule, text_of
from lfc.semantics.names.scope import Predeclared, kind_of, span_of
from lfc.semantics.statements.directions import check_argument
from lfc.semantics.statements.external import effect_arguments
from lfc.semantics.statements.procedures import COMPUTE, PROCEDURES
from lfc.syntax.grammar import tree


@statement_rule(tree.TaggedCall)
def tagged_call(ctx: Context, node: tree.TaggedCall) -> typed.Statement | None:
    """Its requirements change nothing else."""
    made = call_statement(ctx, node)
    if isinstance(made, typed.Assert):
        names = tuple(dict.fromkeys(r.text for r in node.requirements))
        ctx.module.tagged.append(typed.TaggedAssertion(made.span, names))
    elif made is not None:
        span = node.requirements[0].span
        ctx.report("LF0203", span, "only a PROPERTY, an ASSERT and a MODULE name requirements")
    return made


@statement_rule(tree.CallStatement)
def call_statement(ctx: Context, node: tree.CallStatement) -> typed.Statement | None:
    callee, given = _split(node.call)
    if callee is None:
        if not isinstance(node.call, tree.ErrorExpr):
            ctx.expression(node.call)
            ctx.report("LF0609", node.span, f"`{text_of(node.span)}` is no statement")
        return None
    meaning = designate(ctx, callee, called=True)
    if isinstance(meaning, typed.Process) and meaning.is_procedure:
        look_at(ctx, given)
        note = Note("what has no result is a PROCESS")
        ctx.report("LF0425", node.span, f"the value of `{meaning.name}` is not used: it is no statement", note)
        return None
    if isinstance(meaning, typed.Process) and not meaning.is_property:
        if ctx.in_procedure:
            look_at(ctx, given)
            message = f"`{meaning.name}` is a process, which may wait: a PROCEDURE calls PROCEDUREs only"
            ctx.report("LF0622", node.span, message)
            return None
        if ctx.in_property:
            look_at(ctx, given)
            ctx.report("LF0802", node.span, "a property calls nobody: it only watches")
            return None
        if ctx.process is not None:
            ctx.uses.calls.setdefault(ctx.process, set()).add(meaning)
        arguments = pass_arguments(ctx, meaning, given, node.span, created=False)
        return None if arguments is None else typed.CallProcess(node.span, meaning, arguments)
    if isinstance(meaning, Predeclared):
        procedure = PROCEDURES.get(meaning.name)
        if ctx.in_procedure and procedure is not None and meaning.name not in COMPUTE:
            look_at(ctx, given)
            ctx.report("LF0622", node.span, f"a PROCEDURE computes: `{meaning.name}` is not for it")
            return None
        if procedure is not None:
            call = node.call if isinstance(node.call, tree.Call) else tree.Call(node.span, node.call, [])
            return procedure(ctx, call)
        look_at(ctx, given)
        if meaning.name == "Clock.After":
            ctx.report("LF0614", node.span, "`Clock.After` is a clause of a SELECT, not a statement")
        else:
            ctx.report("LF0425", node.span, f"the value of `{meaning.name}` is not used: it is no statement")
        return None
    look_at(ctx, given)
    _report_no_process(ctx, callee, meaning, "called")
    return None


def _split(call: tree.Expr) -> tuple[tree.Expr | None, list[tree.Expr]]:
    """A call with or without parentheses."""
    if isinstance(call, tree.Call):
        callee, given = call.callee, call.arguments
    else:
        callee, given = call, []
    return (callee if isinstance(callee, tree.Ident | tree.Field | tree.Index) else None), given


def _report_no_process(ctx: Context, callee: tree.Expr, meaning: object, what: str) -> None:
    text = text_of(callee.span)
    code = "LF0608" if what == "created" else "LF0609"
    if isinstance(meaning, typed.Expr):
        if meaning.type is ty.ERROR:
            return
        notes = []
        if isinstance(meaning, typed.VariableRef):
            v = meaning.variable
            notes.append(Note(f"`{v.name}` is declared here", v.span))
            if ty.is_port(v.type) and what == "called":
                notes.append(Note(f"a message is sent with `{text}!message` and received with `{text}?message`"))
        ctx.report(code, callee.span, f"`{text}` is no process: it cannot be {what}", *notes)
        return
    if isinstance(
        meaning,
        typed.Process | typed.NamedType | typed.Property | typed.ImportedName | Predeclared | typed.NamedConstant,
    ):
        where = span_of(meaning)
        notes = [Note(f"`{meaning_name(meaning)}` is declared here", where)] if where is not None else []
        ctx.report(code, callee.span, f"`{text}` is {kind_of(meaning)}: it cannot be {what}", *notes)
        return
    ctx.report(code, callee.span, f"`{text}` cannot be {what}")


@statement_rule(tree.Create)
def create(ctx: Context, node: tree.Create) -> typed.Statement | None:
    callee, given = _split(node.call)
    deadline = None
    if node.deadline is not None:
        deadline = unsigned(ctx, ctx.expression(node.deadline), "a deadline")
    if callee is None:
        if not isinstance(node.call, tree.ErrorExpr):
            ctx.report("LF0608", node.call.span, f"`{text_of(node.call.span)}` is no process: it cannot be created")
        return None
    meaning = designate(ctx, callee)
    if not isinstance(meaning, typed.Process) or meaning.is_property or meaning.is_procedure:
        look_at(ctx, given)
        _report_no_process(ctx, callee, meaning, "created")
        return None
    if ctx.in_property:
        look_at(ctx, given)
        ctx.report("LF0802", node.span, "a property creates nobody: it only watches")
        return None
    if meaning.external:
        look_at(ctx, given)
        note = Note(f"`{meaning.name}` is declared here", meaning.span)
        ctx.report("LF0608", callee.span, f"`{meaning.name}` is EXTERNAL: it can be called, not created", note)
        return None
    if meaning.parent is not None:
        ctx.uses.creates.append((meaning, callee.span))
    arguments = pass_arguments(ctx, meaning, given, node.call.span, created=True)
    if arguments is None or (deadline is not None and deadline.type is ty.ERROR):
        return None
    return typed.CreateProcess(node.span, meaning, arguments, deadline)


# --- arguments -------------------------------------------------------------------------------------------------


def pass_arguments(
    ctx: Context, process: typed.Process, given: list[tree.Expr], span: Span, *, created: bool
) -> list[typed.Argument] | None:
    """None after a report."""
    formals = process.stated_formals
    if len(formals) != len(given):
        look_at(ctx, given)
        if not any(isinstance(g, tree.ErrorExpr) for g in given):
            wanted = f"{len(formals)} argument{'' if len(formals) == 1 else 's'}"
            note = Note(f"`{process.name}` is declared here", process.span)
            ctx.report("LF0412", span, f"`{process.name}` takes {wanted}, not {len(given)}", note)
        return None
    arguments = []
    for formal, node in zip(formals, given, strict=True):
        value = _argument(ctx, process, formal, node, created)
        if value.type is not ty.ERROR and not check_argument(ctx, process, formal, value):
            value = typed.Constant(value.span, ty.ERROR, 0)
        arguments.append(typed.Argument(formal, value))
    arguments += effect_arguments(process, span)
    return None if any(a.value.type is ty.ERROR or a.formal.type is ty.ERROR for a in arguments) else arguments


def _argument(
    ctx: Context, process: typed.Process, formal: typed.Variable, node: tree.Expr, created: bool
) -> typed.Expr:
    note = Note(f"parameter `{formal.name}` is declared here", formal.span)
    if formal.kind is typed.VariableKind.VAR:
        return _var_argument(ctx, process, formal, node, created, note)
    e = ctx.expression(node, formal.type)
    if e.type is ty.ERROR or formal.type is ty.ERROR:
        return e
    if isinstance(formal.type, ty.OpenArrayType):
        return _open_array(ctx, process, formal, formal.type, e, created, note)
    return assignable(ctx, e, formal.type, f"parameter `{formal.name}` of `{process.name}`", note)


def _open_array(
    ctx: Context,
    process: typed.Process,
    formal: typed.Variable,
    t: ty.OpenArrayType,
    e: typed.Expr,
    created: bool,
    note: Note,
) -> typed.Expr:
    """It is passed where it lies, so it must outlive a created process."""
    text = string_constant(e)
    if t.element is ty.CHAR and text is not None and isinstance(e, typed.Constant):
        return e if isinstance(e.value, bytes) else string_expression(e.span, text)
    if not isinstance(e.type, ty.ArrayType | ty.OpenArrayType) or e.type.element is not t.element:
        return mismatch(ctx, e, t, f"parameter `{formal.name}` of `{process.name}`", note)
    root = root_variable(e)
    if root is None and _constant_root(e):
        if not process.external:
            return e
        return ctx.error(
            "LF0619", e.span, f"a table lies in flash, where C cannot read it: `{process.name}` is EXTERNAL", note
        )
    if process.external and root is not None and _may_be_text(root):
        message = f"`{root.name}` may be a text in flash, where C cannot read it: `{process.name}` is EXTERNAL"
        return ctx.error(
            "LF0619", e.span, message, Note(f"make `{root.name}` a VAR parameter, or copy it", root.span), note
        )
    return _lies_in_block(ctx, process, formal, e, created, note)


def _var_argument(
    ctx: Context, process: typed.Process, formal: typed.Variable, node: tree.Expr, created: bool, note: Note
) -> typed.Expr:
    e = variable(ctx, node, f"VAR parameter `{formal.name}` of `{process.name}`")
    if e.type is ty.ERROR or formal.type is ty.ERROR:
        return e
    t = formal.type
    if isinstance(t, ty.OpenArrayType):
        fits = isinstance(e.type, ty.ArrayType | ty.OpenArrayType) and e.type.element is t.element
    else:
        fits = e.type is t
    if not fits:
        wanted = f"an array of {t.element}" if isinstance(t, ty.OpenArrayType) else f"a variable of exactly type {t}"
        message = (
            f"VAR parameter `{formal.name}` of `{process.name}` needs {wanted}, "
            f"but `{text_of(e.span)}` has type {e.type}"
        )
        return ctx.error("LF0413", e.span, message, note)
    return _lies_in_block(ctx, process, formal, e, created, note)


def _constant_root(e: typed.Expr) -> bool:
    """Whether it is a constant table or a part of one."""
    while isinstance(e, typed.FieldRef | typed.IndexRef):
        e = e.base
    return isinstance(e, typed.Constant) and isinstance(e.value, bytes)


def _may_be_text(root: typed.Variable) -> bool:
    return isinstance(root.type, ty.OpenArrayType) and root.kind is typed.VariableKind.VALUE


def _lies_in_block(
    ctx: Context, process: typed.Process, formal: typed.Variable, e: typed.Expr, created: bool, note: Note
) -> typed.Expr:
    root = root_variable(e)
    if root is None:
        return ctx.error("LF0413", e.span, f"`{text_of(e.span)}` is no variable that can be passed", note)
    if root.address is not None:
        message = f"`{root.name}` is a device register: it is no argument for a VAR parameter or an open array"
        return ctx.error("LF0413", e.span, message, note, Note(f"`{root.name}` is declared here", root.span))
    if root.nonatomic and not (process.external and isinstance(root.type, ty.REGISTERS)):
        other = ", but for those of C" if isinstance(root.type, ty.REGISTERS) else " or an open array"
        message = f"`{root.name}` is NONATOMIC: it is no argument for a VAR parameter{other}"
        return ctx.error("LF0413", e.span, message, note, Note(f"`{root.name}` is declared here", root.span))
    if created and not isinstance(root.owner, typed.Module):
        what = "a VAR parameter" if formal.kind is typed.VariableKind.VAR else "an open array"
        message = f"`{root.name}` does not outlive its process, as {what} of a created process must"
        return ctx.error(
            "LF0606",
            e.span,
            message,
            Note(f"only variables of a module do; `{root.name}` is declared here", root.span),
            note,
        )
    return e


def report_created_with_outer_variables(ctx: Context) -> None:
    """A created process has no caller: it, and whom it calls, can use no variables of enclosing processes."""
    uses = ctx.uses
    for process, span in uses.creates:
        enclosing = set()
        outer = process.parent
        while outer is not None:
            enclosing.add(outer)
            outer = outer.parent
        reached = [process]
        for at in reached:
            found = [(v, s) for v, s in uses.variables.get(at, {}).items() if v.owner in enclosing]
            if found:
                v, use = found[0]
                ctx.report(
                    "LF0607",
                    span,
                    f"`{process.name}` cannot be created: it uses `{v.name}` of the enclosing process "
                    f"`{v.owner.name}`, which may end before it",
                    Note(f"`{v.name}` is used here", use),
                    Note("pass it as a parameter, or make it a variable of the module"),
                )
                break
            reached.extend(p for p in sorted(uses.calls.get(at, ()), key=_place) if p not in reached)


def _place(process: typed.Process) -> int:
    return process.span.start

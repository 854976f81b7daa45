"""What the text leaves out: names of parameters at calls, values of constants that are computed."""

from __future__ import annotations

from lsprotocol import types as lsp

from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.declarations import value_text
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.syntax.grammar import tree

LITERALS = (tree.IntLit, tree.CharLit, tree.StringLit, tree.ErrorExpr)


def inlay_hints(analysis: Analysis, wanted: lsp.Range) -> list[lsp.InlayHint]:
    start, end = analysis.lines.offset(wanted.start), analysis.lines.offset(wanted.end)
    found: list[lsp.InlayHint] = []
    stack: list[tree.Node] = [] if analysis.text is None else [analysis.text.tree]
    while stack:
        node = stack.pop()
        if isinstance(node, tree.CallStatement | tree.Create) and start <= node.span.start <= end:
            found += of_call(analysis, node.call)
        elif isinstance(node, tree.ConstDecl) and start <= node.span.start <= end:
            found += of_constant(analysis, node)
        if not isinstance(node, tree.Expr):
            stack.extend(reversed(list(tree.children(node))))
    return found


def of_call(analysis: Analysis, call: tree.Expr) -> list[lsp.InlayHint]:
    if not isinstance(call, tree.Call):
        return []
    callee = call.callee
    name = callee.name.span if isinstance(callee, tree.Field) else callee.span
    named = analysis.names.at(name.start)
    if named is None or not isinstance(named.entity, typed.Process):
        return []
    hints = []
    for formal, argument in zip(named.entity.stated_formals, call.arguments, strict=False):
        if isinstance(argument, tree.Ident) and argument.name == formal.name:
            continue
        label = f"{'VAR ' * (formal.kind is typed.VariableKind.VAR)}{formal.name}:"
        at = analysis.lines.position(argument.span.start)
        hints.append(lsp.InlayHint(at, label, kind=lsp.InlayHintKind.Parameter, padding_right=True))
    return hints


def of_constant(analysis: Analysis, node: tree.ConstDecl) -> list[lsp.InlayHint]:
    if isinstance(node.value, LITERALS):
        return []
    named = analysis.names.at(node.name.span.start)
    if named is None or not isinstance(named.entity, typed.NamedConstant):
        return []
    c = named.entity
    if isinstance(c.type, ty.EnumerationType | ty.BooleanType) and isinstance(node.value, tree.Ident):
        return []
    text = value_text(c)
    if "".join(text.split()) == "".join(node.span.source.text[node.value.span.start : node.value.span.end].split()):
        return []
    at = analysis.lines.position(node.value.span.end)
    return [lsp.InlayHint(at, f"= {text}", kind=lsp.InlayHintKind.Type, padding_left=True)]

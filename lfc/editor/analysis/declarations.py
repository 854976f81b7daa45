"""From a thing to its declaration in the tree, to the comment that explains it, and to its text."""

from __future__ import annotations

from collections.abc import Iterator

from lfc.base.source import Span
from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.names import Named, name_of, span_of
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.types import Message, RecordField
from lfc.semantics.names.occurrences import Entity, Text
from lfc.semantics.names.scope import Predeclared, PseudoModule
from lfc.syntax.grammar import tree

LONGEST = 2000  # characters of a declaration that are shown
MOST_NODES = 200_000


def text_with(analysis: Analysis, span: Span) -> Text | None:
    return analysis.occurrences.of(span.source)


def declaration_of(analysis: Analysis, entity: Entity) -> tree.Node | None:
    """The ConstDecl, TypeDecl, VarDecl, PortDecl, ProcessDecl, PropertyDecl or Formal that has its name."""
    span = span_of(entity)
    text = None if span is None else text_with(analysis, span)
    if span is None or text is None:
        return None
    return next((d for d in declarations_in(text.tree.declarations) if declares(d, span)), None)


def declarations_in(declarations: list[tree.Decl]) -> Iterator[tree.Node]:
    stack: list[tree.Node] = list(reversed(declarations))
    while stack:
        node = stack.pop()
        if isinstance(node, tree.Section):
            stack.extend(reversed(node.declarations))
            continue
        yield node
        if isinstance(node, tree.ProcessDecl):
            stack.extend(reversed([*node.formals, *node.declarations]))
        elif isinstance(node, tree.PropertyDecl):
            stack.extend(reversed(node.declarations))


def declares(node: tree.Node, span: Span) -> bool:
    names = getattr(node, "names", None) or [getattr(node, "name", None)]
    return any(n is not None and n.span.start == span.start for n in names)


# --- its text --------------------------------------------------------------------------------------------------------


def shown(analysis: Analysis, entity: Entity) -> str:
    """As a programmer would write it."""
    match entity:
        case typed.Variable():
            return variable_text(entity)
        case typed.NamedConstant():
            return constant_text(entity)
        case typed.NamedType():
            node = declaration_of(analysis, entity)
            return f"TYPE {entity.name} = {source_text(node.type) if isinstance(node, tree.TypeDecl) else entity.type}"
        case typed.Process():
            node = declaration_of(analysis, entity)
            return heading(node) if isinstance(node, tree.ProcessDecl) else f"PROCESS {entity.name}"
        case typed.Property():
            node = declaration_of(analysis, entity)
            return source_text(node) if isinstance(node, tree.PropertyDecl) else f"PROPERTY {entity.name}"
        case typed.ImportedName():
            return import_text(entity)
        case typed.Module():
            return f"{'ENVIRONMENT ' * entity.environment}MODULE {entity.name}"
        case Message():
            return message_text(entity)
        case RecordField():
            return f"{entity.name} : {entity.type}"
        case Predeclared() | PseudoModule():
            return entity.name


def variable_text(v: typed.Variable) -> str:
    where = f" AT {v.address:X}H" if v.address is not None else ""
    if where and not where[4].isdigit():
        where = f" AT 0{v.address:X}H"
    kind = {typed.VariableKind.VALUE: "", typed.VariableKind.VAR: "VAR "}.get(v.kind)
    if kind is None:
        kind = "PORT " if ty.is_port(v.type) else "VAR "
    return f"{kind}{v.name}{where}{' NONATOMIC' * (v.nonatomic or v.writing is not None)} : {v.type}"


def constant_text(c: typed.NamedConstant) -> str:
    if isinstance(c.type, ty.EnumerationType):
        return f"{c.name}  (* value {c.value!r} of {c.type} *)"
    value = value_text(c)
    return f"CONST {c.name} = {value}"


def value_text(c: typed.NamedConstant) -> str:
    if isinstance(c.value, bytes) and not (isinstance(c.type, ty.ArrayType) and c.type.element is ty.CHAR):
        return f"[...]  (* {c.type} *)"
    if isinstance(c.value, bytes):
        return '"' + c.value.rstrip(b"\0").decode("latin-1") + '"'
    if c.type is ty.BOOLEAN:
        return "TRUE" if c.value else "FALSE"
    if c.type is ty.CHAR:
        return f"'{chr(c.value)}'" if 0x20 <= c.value < 0x7F and c.value != 0x27 else f"0{c.value:X}X"
    if isinstance(c.type, ty.SetType):
        return "{" + ", ".join(str(bit) for bit in range(c.type.bits) if c.value >> bit & 1) + "}"
    return str(c.value)


def import_text(i: typed.ImportedName) -> str:
    if i.module is None or i.module.name == i.alias:
        return f"IMPORT {i.alias}"
    return f"IMPORT {i.alias} := {i.module.name}"


def message_text(m: Message) -> str:
    return f"{m.name}({', '.join(map(str, m.types))})" if m.types else m.name


def heading(node: tree.ProcessDecl) -> str:
    """Up to its semicolon."""
    last = max([node.name.span.end, *(n.span.end for n in (*node.formals, *node.attributes))])
    text = node.span.source.text
    end = text.find(";", last)
    return one_line(text[node.span.start : end if 0 <= end <= node.span.end else last])


def source_text(node: tree.Node) -> str:
    text = node.span.source.text[node.span.start : min(node.span.end, node.span.start + LONGEST)]
    return text.rstrip(" \t\r\n;")


def one_line(text: str) -> str:
    return " ".join(text.split())


# --- its comment -----------------------------------------------------------------------------------------------------


def comment_of(analysis: Analysis, entity: Entity) -> str:
    """The comment above the declaration, or else behind it on its line."""
    span = span_of(entity)
    text = None if span is None else text_with(analysis, span)
    if span is None or text is None:
        return ""
    node = text.tree if isinstance(entity, typed.Module) else declaration_of(analysis, entity)
    start, end = (span.start, span.end) if node is None else (node.span.start, node.span.end)
    source = span.source.text
    above = behind = ""
    for comment in text.tree.comments:
        c = comment.span
        if c.end <= start and is_gap(source[c.end : start], 1) and source[: c.start].rstrip(" \t")[-1:] in ("\n", ""):
            above = comment.text
        elif c.start >= end and not source[end : c.start].strip(" \t;,"):
            behind = behind or comment.text
    return without_brackets(above or behind)


def is_gap(between: str, lines: int) -> bool:
    """Whether nothing but the keyword of a section stands between."""
    words = between.split()
    return between.count("\n") <= lines + len(words) and (
        not words or words in (["VAR"], ["CONST"], ["TYPE"], ["PORT"])
    )


def without_brackets(comment: str) -> str:
    lines = comment.removeprefix("(*").removesuffix("*)").splitlines()
    return "\n".join(line.strip() for line in lines).strip()


def described(analysis: Analysis, named: Named) -> tuple[str, str]:
    return shown(analysis, named.entity), comment_of(analysis, named.entity)


def label_of(entity: Entity) -> str:
    return name_of(entity)

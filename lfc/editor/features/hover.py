"""What is told of the name under the cursor, or of a diagnostic there."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from lfc.base.source import Span
from lfc.diagnostics.explain import page
from lfc.diagnostics.model import Diagnostic
from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.declarations import described
from lfc.editor.analysis.names import Named, name_of
from lfc.editor.features.predeclared import predeclared_text
from lfc.editor.features.touches import touches_text
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.types import Message, RecordField
from lfc.semantics.names.occurrences import Entity
from lfc.semantics.names.scope import Predeclared, PseudoModule

LongestPass = Callable[[Analysis, str], str]  # of a process, by its path; in words, or nothing


def not_measured(_: Analysis, __: str) -> str:
    return ""


def hover(analysis: Analysis, position: lsp.Position, longest: LongestPass = not_measured) -> lsp.Hover | None:
    offset = analysis.lines.offset(position)
    named = analysis.names.at(offset)
    parts = [] if named is None else [text_of(analysis, named, longest)]
    wrong = [d for d in analysis.diagnostics.items if is_at(d, analysis, offset)]
    parts += [page_of(d) for d in wrong[:2]]
    if not parts:
        return None
    span = named.span if named is not None else wrong[0].span
    return lsp.Hover(
        lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(parts)),
        analysis.lines.range(span.start, span.end),
    )


def is_at(d: Diagnostic, analysis: Analysis, offset: int) -> bool:
    return d.span.source is analysis.source and d.span.start <= offset < max(d.span.end, d.span.start + 1)


def page_of(d: Diagnostic) -> str:
    """The page, with its headings as small as a hover wants them."""
    told = page(d.code) or ""
    lines = [f"**{line.lstrip('#').strip()}**" if line.startswith("#") else line for line in told.splitlines()]
    return "\n".join(lines)


def text_of(analysis: Analysis, named: Named, longest: LongestPass) -> str:
    entity = named.entity
    if isinstance(entity, Predeclared | PseudoModule):
        return predeclared_text(entity.name)
    if is_predeclared(entity.span):
        return predeclared_text(name_of(entity))
    declaration, comment = described(analysis, named)
    lines = [f"```lf\n{declaration}\n```", *said_of(entity)]
    if comment:
        lines.append(comment)
    if isinstance(entity, typed.Process):
        lines += ["\n".join(touches_text(entity)), longest(analysis, path_of(entity))]
    return "\n\n".join(line for line in lines if line)


def path_of(process: typed.Process) -> str:
    """Outer.Inner"""
    return process.name if process.parent is None else f"{path_of(process.parent)}.{process.name}"


def is_predeclared(span: Span | None) -> bool:
    return span is not None and span.source.path == "<predeclared>"


def said_of(entity: Entity) -> list[str]:
    """Kind and home, and what its type is made of."""
    match entity:
        case typed.Variable():
            home = f"{kind_of(entity)} of `{entity.owner.name}`"
            return [home, type_text(entity.type)]
        case typed.NamedConstant():
            return [] if isinstance(entity.type, ty.EnumerationType) else [f"of type `{entity.type}`"]
        case typed.NamedType():
            return [size_text(entity.type)]
        case Message():
            return ["message"]
        case RecordField():
            return ["field of a record", type_text(entity.type)]
    return []


def kind_of(v: typed.Variable) -> str:
    if ty.is_port(v.type):
        return "port" if v.kind in (typed.VariableKind.MODULE, typed.VariableKind.LOCAL) else "port, parameter"
    return {typed.VariableKind.MODULE: "variable", typed.VariableKind.LOCAL: "variable"}.get(v.kind, v.kind.value)


def type_text(t: ty.Type) -> str:
    """Of what its name does not say."""
    if isinstance(t, ty.ChannelType):
        return "messages: " + ", ".join(f"`{message(m)}`" for m in t.messages)
    if isinstance(t, ty.EnumerationType):
        return "values: " + ", ".join(f"`{v}`" for v in t.values[:20]) + ", ..." * (len(t.values) > 20)
    if isinstance(t, ty.FixedType):
        step = ty.steps_text(t, 1)
        return f"`{ty.steps_text(t, t.low)} .. {ty.steps_text(t, t.high)} BY {step}`" if ".." not in t.name else ""
    if isinstance(t, ty.SubrangeType) and ".." not in t.name:
        return f"`{t.low} .. {t.high}`" if not isinstance(t.base, ty.EnumerationType) else ""
    if isinstance(t, ty.RecordType):
        return "fields: " + ", ".join(f"`{f.name} : {f.type}`" for f in t.fields)
    return ""


def message(m: Message) -> str:
    return f"{m.name}({', '.join(map(str, m.types))})" if m.types else m.name


def size_text(t: ty.Type) -> str:
    if t is ty.ERROR or isinstance(t, ty.OpenArrayType | ty.ChannelType):
        return ""
    size = ty.size_and_alignment(t)[0]
    return f"{size} byte{'s' * (size != 1)}"

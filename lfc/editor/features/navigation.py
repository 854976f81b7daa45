"""From a name to its declaration, and to all places that name the same thing."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from lfc.base.source import Span
from lfc.editor.analysis.addresses import uri_of
from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.names import Named, declared_at, span_of
from lfc.editor.analysis.positions import Lines
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty


def definition(analysis: Analysis, position: lsp.Position) -> lsp.Location | None:
    named = analysis.names.at(analysis.lines.offset(position))
    if named is None:
        return None
    entity = named.entity
    if isinstance(entity, typed.ImportedName) and entity.module is not None and entity.module.span is not None:
        return location_of(entity.module.span)
    span = span_of(entity)
    return None if span is None else location_of(span)


def type_definition(analysis: Analysis, position: lsp.Position) -> lsp.Location | None:
    """Where the type of a variable, parameter or field is declared."""
    named = analysis.names.at(analysis.lines.offset(position))
    t = getattr(named.entity, "type", None) if named is not None else None
    while isinstance(t, ty.ArrayType | ty.OpenArrayType) and declared_type(analysis, t) is None:
        t = t.element
    span = None if t is None else declared_type(analysis, t)
    return None if span is None else location_of(span)


def declared_type(analysis: Analysis, t: ty.Type) -> Span | None:
    for text in analysis.occurrences.texts:
        named = [*text.module.types, *(n for p in all_processes(text.module) for n in p.types)]
        found = next((n for n in named if n.type is t), None)
        if found is not None:
            return found.span
    return None


def all_processes(module: typed.Module) -> list[typed.Process]:
    found = list(module.processes)
    for p in found:
        found += p.nested
    return found


def location_of(span: Span) -> lsp.Location:
    return lsp.Location(uri_of(span.source.path), Lines(span.source.text).range(span.start, span.end))


def uses_of(named: Named, analyses: Iterable[Analysis]) -> dict[str, list[Span]]:
    """By path. The declaration is one of them."""
    place = declared_at(named.entity)
    found: dict[str, list[Span]] = {}
    if place is not None:
        for analysis in analyses:
            spans = analysis.names.uses_of(place)
            if spans:
                found[analysis.source.path] = spans
    return found


def references(named: Named, analyses: Iterable[Analysis], with_declaration: bool) -> list[lsp.Location]:
    own = span_of(named.entity)
    return [
        location_of(span)
        for spans in uses_of(named, analyses).values()
        for span in spans
        if with_declaration or own is None or (span.source.path, span.start) != (own.source.path, own.start)
    ]


def highlights(analysis: Analysis, position: lsp.Position) -> list[lsp.DocumentHighlight]:
    named = analysis.names.at(analysis.lines.offset(position))
    place = None if named is None else declared_at(named.entity)
    if named is None or place is None:
        return []
    return [
        lsp.DocumentHighlight(analysis.lines.range(s.start, s.end), lsp.DocumentHighlightKind.Text)
        for s in analysis.names.uses_of(place)
    ]

"""Colours by meaning: what each name is; keywords, numbers, texts and comments too, for editors without a grammar."""

from __future__ import annotations

from lsprotocol import types as lsp

from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.names import span_of
from lfc.editor.analysis.positions import units
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.types import Message, RecordField
from lfc.semantics.names.occurrences import Entity
from lfc.semantics.names.scope import Predeclared
from lfc.syntax.grammar.terminals import KEYWORDS, NUMBER

TYPES = "namespace type enumMember variable parameter property function event keyword comment string number".split()
MODIFIERS = "declaration readonly static defaultLibrary port".split()
LEGEND = lsp.SemanticTokensLegend(TYPES, MODIFIERS)
DECLARATION, READONLY, STATIC, LIBRARY, PORT = (1 << n for n in range(len(MODIFIERS)))

Piece = tuple[int, int, str, int]  # start, end, type, modifiers
WORDS = frozenset(KEYWORDS.values())
LITERALS = {
    NUMBER["INTEGER"]: "number",
    NUMBER["DECIMAL"]: "number",
    NUMBER["CHARACTER"]: "string",
    NUMBER["STRING"]: "string",
}


def semantic_tokens(analysis: Analysis) -> list[int]:
    """As the protocol packs them: five numbers each, relative to the one before."""
    data: list[int] = []
    line, column = 0, 0
    for at, start, length, name, modifiers in placed(analysis):
        data += [at - line, start - column if at == line else start, length, TYPES.index(name), modifiers]
        line, column = at, start
    return data


def placed(analysis: Analysis) -> list[tuple[int, int, int, str, int]]:
    """Line, column, length, type, modifiers; what goes over lines is cut at their ends."""
    lines, text = analysis.lines, analysis.source.text
    found = []
    for start, end, name, modifiers in pieces(analysis):
        first, last = lines.position(start), lines.position(end)
        for line in range(first.line, last.line + 1):
            a = max(start, lines.starts[line])
            b = min(end, lines.end_of(line))
            if a < b:
                column = first.character if line == first.line else 0
                found.append((line, column, units(text[a:b]), name, modifiers))
    return found


def pieces(analysis: Analysis) -> list[Piece]:
    tokens = analysis.tokens
    found: list[Piece] = [(start, end, "comment", 0) for start, end in tokens.comments]
    named = {n.span.start: n for n in analysis.names.all}
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        if kind in LITERALS:
            found.append((start, end, LITERALS[kind], 0))
        elif start in named and named[start].span.end == end:
            name, modifiers = meaning(named[start].entity)
            own = span_of(named[start].entity)
            is_own = own is not None and own.source is analysis.source and own.start == start
            found.append((start, end, name, modifiers | DECLARATION * is_own))
        elif kind in WORDS and analysis.source.text[start].isalpha():
            found.append((start, end, "keyword", 0))
    return sorted(found)


def meaning(entity: Entity) -> tuple[str, int]:
    match entity:
        case typed.Variable():
            of_module = entity.kind is typed.VariableKind.MODULE
            is_formal = entity.kind in (typed.VariableKind.VALUE, typed.VariableKind.VAR)
            return "parameter" if is_formal else "variable", STATIC * of_module | PORT * ty.is_port(entity.type)
        case typed.NamedConstant():
            if isinstance(entity.type, ty.EnumerationType):
                return "enumMember", READONLY
            return "variable", READONLY | LIBRARY * (span_of(entity) is None)
        case typed.NamedType():
            return "type", LIBRARY * (span_of(entity) is None)
        case typed.Process():
            return "function", 0
        case typed.Property() | RecordField():
            return "property", 0
        case Message():
            return "event", 0
        case Predeclared():
            return "function", LIBRARY
    return "namespace", 0

"""What stands before the cursor, from tokens and scopes alone: the text around it may be half written."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from lfc.editor.analysis.analyse import Analysis
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.types import RecordField
from lfc.semantics.names.occurrences import Entity
from lfc.semantics.names.scope import Misnamed, Scope, Symbol
from lfc.semantics.names.universe import PSEUDO_MODULES, UNIVERSE
from lfc.syntax.grammar.terminals import NUMBER

IDENT, DOT, COMMA = NUMBER["IDENT"], NUMBER["DOT"], NUMBER["COMMA"]
LPAR, RPAR, LSQB, RSQB = (NUMBER[n] for n in ("LPAR", "RPAR", "LSQB", "RSQB"))
OPEN, CLOSE = {LPAR, LSQB, NUMBER["LBRACE"]}, {RPAR, RSQB, NUMBER["RBRACE"]}


@dataclass(slots=True)
class Cursor:
    """`last`: number of the last token before the word that the cursor is in or behind; -1: none."""

    analysis: Analysis
    offset: int
    last: int
    word: str  # of a name or keyword, what stands before the cursor
    word_start: int

    @property
    def kind(self) -> int:
        return self.kind_of(self.last)

    def kind_of(self, token: int) -> int:
        return self.analysis.tokens.kinds[token] if token >= 0 else -1


def cursor_at(analysis: Analysis, offset: int) -> Cursor | None:
    """None: in a comment or a text in quotes."""
    tokens = analysis.tokens
    if any(start < offset < end for start, end in tokens.comments):
        return None
    last = bisect_left(tokens.starts, offset) - 1
    while last >= 0 and tokens.starts[last] == tokens.ends[last]:  # the end of the text
        last -= 1
    if last >= 0 and offset <= tokens.ends[last]:
        text = tokens.text(last)
        if text[:1] in "\"'":
            return None if offset < tokens.ends[last] else Cursor(analysis, offset, last, "", offset)
        if text[:1].isalpha() or text[:1] == "_":
            start = tokens.starts[last]
            return Cursor(analysis, offset, last - 1, analysis.source.text[start:offset], start)
    return Cursor(analysis, offset, last, "", offset)


def designator_start(analysis: Analysis, last: int) -> int | None:
    """The first token of the designator that ends with token `last`."""
    kinds, at = analysis.tokens.kinds, last
    while at >= 0:
        if kinds[at] == RSQB:
            opening = matching(kinds, at)
            if opening is None:
                return None
            at = opening - 1
        elif kinds[at] == IDENT:
            if at == 0 or kinds[at - 1] != DOT:
                return at
            at -= 2
        else:
            return None
    return None


def matching(kinds: list[int], closing: int) -> int | None:
    depth = 0
    for at in range(closing, -1, -1):
        if kinds[at] in CLOSE:
            depth += 1
        elif kinds[at] in OPEN:
            depth -= 1
            if depth == 0:
                return at
    return None


def scope_at(analysis: Analysis, offset: int) -> Scope:
    place = analysis.place_at(offset)
    if place is not None:
        return place.scope
    text = analysis.text
    return UNIVERSE if text is None else text.scope


def look_up(scope: Scope, name: str) -> Symbol | None:
    found = next((s.names[name] for s in scope.outward() if name in s.names), None)
    return None if isinstance(found, Misnamed) else found


def meaning(analysis: Analysis, last: int) -> Entity | ty.Type | None:
    """Of the designator that ends with token `last`: what it names, or the type of its value."""
    tokens = analysis.tokens
    first = designator_start(analysis, last)
    if first is None:
        return None
    found: Entity | ty.Type | None = entity(look_up(scope_at(analysis, tokens.starts[first]), tokens.text(first)))
    at = first + 1
    while at <= last and found is not None:
        if tokens.kinds[at] == DOT:
            found = member(analysis, found, tokens.text(at + 1))
            at += 2
        else:
            closing = closing_of(tokens.kinds, at)
            found = element(found, tokens.kinds[at + 1 : closing].count(COMMA) + 1)
            at = closing + 1
    return found


def entity(symbol: Symbol | None) -> Entity | None:
    return None if isinstance(symbol, Misnamed) else symbol


def closing_of(kinds: list[int], opening: int) -> int:
    depth = 0
    for at in range(opening, len(kinds)):
        depth += (kinds[at] in OPEN) - (kinds[at] in CLOSE)
        if depth == 0:
            return at
    return len(kinds) - 1


def member(analysis: Analysis, of: Entity | ty.Type, name: str) -> Entity | None:
    return next((e for n, e in members(analysis, of) if n == name), None)


def members(analysis: Analysis, of: Entity | ty.Type) -> list[tuple[str, Entity]]:
    """What may stand behind a dot."""
    if isinstance(of, typed.ImportedName):
        return exports(analysis, of)
    if isinstance(of, typed.Process):
        own = [*of.formals, *(v for v in of.locals if v.kind is not typed.VariableKind.LIMIT)]
        return [*((v.name, v) for v in own), *((p.name, p) for p in of.nested)]
    t = type_of(of)
    return [(f.name, f) for f in t.fields] if isinstance(t, ty.RecordType) else []


def exports(analysis: Analysis, of: typed.ImportedName) -> list[tuple[str, Entity]]:
    if of.module is None:
        pseudo = PSEUDO_MODULES.get(of.alias) or next(iter(PSEUDO_MODULES.values()))
        return [(name, e) for name, e in pseudo.members.items()]
    text = next((t for t in analysis.occurrences.texts if t.module is of.module), None)
    if text is None:
        return []
    found = [(n, entity(s)) for n, s in text.scope.names.items() if getattr(s, "exported", False)]
    return [(n, e) for n, e in found if e is not None]


def type_of(of: Entity | ty.Type | None) -> ty.Type | None:
    """Of the value; None: it has none."""
    if isinstance(of, ty.Type):
        return of
    if isinstance(of, typed.Variable | typed.NamedConstant | RecordField):
        return of.type
    return None


def element(of: Entity | ty.Type, dimensions: int) -> Entity | ty.Type | None:
    if isinstance(of, typed.Process):
        return of  # `P[i]`
    t = type_of(of)
    for _ in range(dimensions):
        if not isinstance(t, ty.ArrayType | ty.OpenArrayType):
            return None
        t = t.element
    return t

"""The names of an analysed text: which stands where, and where one and the same thing is named."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from lfc.base.source import Source, Span
from lfc.semantics.model import typed
from lfc.semantics.model.types import Message, RecordField
from lfc.semantics.names.occurrences import Entity, Occurrences
from lfc.semantics.names.scope import PREDECLARED_PATH, Predeclared, PseudoModule


@dataclass(frozen=True, slots=True)
class Declared:
    """Where a thing is declared: the same in every analysis of the same texts."""

    path: str
    start: int


@dataclass(frozen=True, slots=True)
class Named:
    """One occurrence of a name."""

    span: Span
    entity: Entity


@dataclass(slots=True)
class Names:
    """Those of one source, in the order of the text."""

    source: Source
    all: list[Named] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    @staticmethod
    def of(source: Source, occurrences: Occurrences) -> Names:
        found = [Named(word(span), e) for (of, _), (span, e) in occurrences.names.items() if of == id(source)]
        found.sort(key=lambda n: n.span.start)
        return Names(source, found, [n.span.start for n in found])

    def at(self, offset: int) -> Named | None:
        """The name that the cursor is in, or right behind."""
        index = bisect_right(self.starts, offset) - 1
        if index >= 0 and offset <= self.all[index].span.end:
            return self.all[index]
        return None

    def uses_of(self, place: Declared) -> list[Span]:
        return [n.span for n in self.all if declared_at(n.entity) == place]


def word(span: Span) -> Span:
    """Without the star of an exported name."""
    end = span.end
    while end > span.start + 1 and not (span.source.text[end - 1].isalnum() or span.source.text[end - 1] == "_"):
        end -= 1
    return span if end == span.end else Span(span.source, span.start, end)


def declared_at(entity: Entity) -> Declared | None:
    """None: in no text."""
    span = span_of(entity)
    return None if span is None else Declared(span.source.path, span.start)


def span_of(entity: Entity) -> Span | None:
    """Of the name in its declaration."""
    if isinstance(entity, Predeclared | PseudoModule) or entity.span is None:
        return None
    return None if entity.span.source.path == PREDECLARED_PATH else entity.span


def name_of(entity: Entity) -> str:
    if isinstance(entity, typed.ImportedName):
        return entity.alias
    return entity.name


def is_exported(entity: Entity) -> bool:
    """Whether other modules may name it. Messages go with the type that has them, which is not known here."""
    if isinstance(entity, Message):
        return True
    if isinstance(entity, typed.NamedConstant) and not entity.exported:
        return False
    return bool(getattr(entity, "exported", False)) or isinstance(entity, RecordField | typed.Module)

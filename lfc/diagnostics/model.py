"""What a diagnostic is. Text, JSON and SARIF are made from it elsewhere."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from lfc.base.lazy_dataclass import dataclass
from lfc.base.source import Span
from lfc.diagnostics.catalogue import CATALOGUE


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(slots=True)
class Note:
    message: str
    span: Span | None = None


@dataclass(slots=True)
class Fix:
    """Replace the text of `span` (empty: insert there) by `replacement`."""

    span: Span
    replacement: str
    message: str


@dataclass(slots=True)
class Diagnostic:
    code: str  # LF0123, stable
    severity: Severity
    span: Span
    message: str
    notes: list[Note] = field(default_factory=list)
    fix: Fix | None = None

    @property
    def place(self) -> tuple[str, str, int, int]:
        return self.code, self.span.source.path, self.span.start, self.span.end


class Diagnostics:
    """Collects what the stages report, in the order in which they report it."""

    def __init__(self) -> None:
        self.items: list[Diagnostic] = []
        self._reported: dict[tuple[str, int, int, int], Diagnostic] = {}  # by code and place

    def report(self, code: str, span: Span, message: str, *notes: Note, fix: Fix | None = None) -> Diagnostic:
        """The severity is the catalogue's. The same code at the same place is reported once."""
        place = (code, id(span.source), span.start, span.end)
        known = self._reported.get(place)
        if known is not None:
            return known
        diagnostic = self._reported[place] = Diagnostic(
            code, Severity(CATALOGUE[code].severity), span, message, list(notes), fix
        )
        self.items.append(diagnostic)
        return diagnostic

    def take_over(self, others: Diagnostics) -> None:
        """Those of another program, each once: two programs may share a module, read for each of them."""
        known = {d.place for d in self.items}
        self.items += [d for d in others.items if d.place not in known]

    @property
    def has_errors(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.items)

"""Diagnostics as text for people: place, message, source excerpt, notes, the fix as the line it would give."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.excerpt import Line, excerpt, replaced_lines
from lfc.diagnostics.model import Diagnostic, Diagnostics, Fix, Note, Severity
from lfc.diagnostics.order import sorted_by_place, summary_line
from lfc.diagnostics.visible import visible

_RESET = "\x1b[0m"
_STYLES = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m", "fix": "\x1b[1;32m"}
_BOLD, _DIM = "\x1b[1m", "\x1b[2m"


def render_text(diagnostics: Diagnostics, *, color: bool = False, width: int = 100, max_shown: int = 0) -> str:
    """All diagnostics in order of place, then how many there are. `max_shown` 0: no limit."""
    ordered = sorted_by_place(diagnostics)
    shown = _most_important(ordered, max_shown)
    paper = _Paper(color, width)
    for diagnostic in shown:
        paper.diagnostic(diagnostic)
    if len(shown) < len(ordered):
        paper.lines.append(f"... and {len(ordered) - len(shown)} more (--max-errors 0 shows all)")
    paper.lines.append(paper.styled(_BOLD, summary_line(diagnostics)))
    return "\n".join(paper.lines)


def _most_important(ordered: list[Diagnostic], limit: int) -> list[Diagnostic]:
    """Errors go before warnings when not all can be shown; the order of place stays."""
    if not limit or len(ordered) <= limit:
        return ordered
    errors = [d for d in ordered if d.severity is Severity.ERROR]
    others = [d for d in ordered if d.severity is not Severity.ERROR]
    chosen = {id(d) for d in (errors + others)[:limit]}
    return [d for d in ordered if id(d) in chosen]


class _Paper:
    """The lines written so far."""

    def __init__(self, color: bool, width: int) -> None:
        self.color = color
        self.width = width
        self.lines: list[str] = []

    def styled(self, style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if self.color and text else text

    def diagnostic(self, d: Diagnostic) -> None:
        kind = d.severity.value
        head = self.styled(_STYLES[kind], f"{kind} {d.code}")
        message = self.styled(_BOLD, visible(d.message))
        self.lines.append(f"{place(d.span)}: {head}: {message}")
        self.excerpt(d.span, _STYLES[kind])
        for note in d.notes:
            self.note(note)
        if d.fix is not None:
            self.fix(d.fix)
        self.lines.append("")

    def note(self, note: Note) -> None:
        where = f"{place(note.span)}: " if note.span is not None else "  "
        self.lines.append(f"{where}{self.styled(_STYLES['note'], 'note')}: {visible(note.message)}")
        if note.span is not None:
            self.excerpt(note.span, _STYLES["note"])

    def fix(self, fix: Fix) -> None:
        self.lines.append(f"  {self.styled(_STYLES['fix'], 'fix')}: {visible(fix.message)}")
        self.numbered(replaced_lines(fix.span, fix.replacement, self.room), _STYLES["fix"])

    def excerpt(self, span: Span, style: str) -> None:
        self.numbered(excerpt(span, self.room), style)

    @property
    def room(self) -> int:
        """Columns for source text, beside the line number and two ellipses."""
        return max(20, self.width - 16)

    def numbered(self, lines: list[Line], style: str) -> None:
        previous: int | None = None
        for line in lines:
            if previous is not None and line.number > previous + 1:
                self.lines.append(self.styled(_DIM, "  ... |"))
            previous = line.number
            self.lines.append(f"{self.styled(_DIM, f'{line.number:5} |')} {line.text}".rstrip())
            if line.mark:
                self.lines.append(f"{self.styled(_DIM, '      |')} {self.styled_mark(line.mark, style)}")

    def styled_mark(self, mark: str, style: str) -> str:
        carets = mark.lstrip(" ")
        return " " * (len(mark) - len(carets)) + self.styled(style, carets)


def place(span: Span) -> str:
    """file:line:column, or the file alone if there is no text to point into."""
    path = visible(span.source.path)
    return f"{path}:{span.line}:{span.column}" if span.source.text else path

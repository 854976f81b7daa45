"""Diagnostics, and their fixes as code actions."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostic, Severity
from lfc.editor.analysis.addresses import uri_of
from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.positions import Lines

SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
UNUSED = frozenset(f"LF{n:04}" for n in (702, *range(708, 716)))  # unreachable or unused: shown faded
SOURCE = "lfc"
EXPLAIN = "lf.explain"


def by_file(analysis: Analysis) -> dict[str, list[lsp.Diagnostic]]:
    """By path. Always with the analysed file itself: an empty list says that what was wrong is mended."""
    found: dict[str, list[lsp.Diagnostic]] = {analysis.source.path: []}
    lines: dict[int, Lines] = {id(analysis.source): analysis.lines}
    for d in analysis.diagnostics.items:
        found.setdefault(d.span.source.path, []).append(shown(d, lines))
    return found


def shown(d: Diagnostic, lines: dict[int, Lines]) -> lsp.Diagnostic:
    notes, more = [], []
    for note in d.notes:
        if note.span is None:
            more.append(f"note: {note.message}")
        else:
            notes.append(lsp.DiagnosticRelatedInformation(location(note.span, lines), note.message))
    return lsp.Diagnostic(
        range=range_of(d.span, lines),
        message="\n".join([d.message, *more]),
        severity=SEVERITIES[d.severity],
        code=d.code,
        source=SOURCE,
        related_information=notes or None,
        tags=[lsp.DiagnosticTag.Unnecessary] if d.code in UNUSED else None,
    )


def location(span: Span, lines: dict[int, Lines]) -> lsp.Location:
    return lsp.Location(uri_of(span.source.path), range_of(span, lines))


def range_of(span: Span, lines: dict[int, Lines]) -> lsp.Range:
    of = lines.get(id(span.source))
    if of is None:
        of = lines[id(span.source)] = Lines(span.source.text)
    return of.range(span.start, span.end)


# --- code actions ----------------------------------------------------------------------------------------------------


def code_actions(analysis: Analysis, wanted: lsp.Range) -> list[lsp.CodeAction]:
    lines = {id(analysis.source): analysis.lines}
    start, end = analysis.lines.offset(wanted.start), analysis.lines.offset(wanted.end)
    actions = []
    for d in touched(analysis, start, end):
        if d.fix is not None and d.fix.span.source is analysis.source:
            actions.append(fix_action(analysis, d, lines))
        actions.append(explain_action(d, lines))
    fixable = [d for d in analysis.diagnostics.items if is_fixable(d, analysis)]
    if len(fixable) > 1 and actions:
        actions.append(fix_all_action(analysis, fixable))
    return actions


def touched(analysis: Analysis, start: int, end: int) -> Iterator[Diagnostic]:
    for d in analysis.diagnostics.items:
        if d.span.source is analysis.source and d.span.start <= end and start <= d.span.end:
            yield d


def is_fixable(d: Diagnostic, analysis: Analysis) -> bool:
    return d.fix is not None and d.fix.span.source is analysis.source


def fix_action(analysis: Analysis, d: Diagnostic, lines: dict[int, Lines]) -> lsp.CodeAction:
    assert d.fix is not None
    return lsp.CodeAction(
        title=title_of(d),
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[shown(d, lines)],
        is_preferred=True,
        edit=edit_of(analysis, [d]),
    )


def title_of(d: Diagnostic) -> str:
    """As a command: `did you mean ...?` is what the text of a diagnostic says."""
    assert d.fix is not None
    said = d.fix.message
    if said.startswith("did you mean"):
        return f"Change to `{d.fix.replacement.strip()}`"
    return said[:1].upper() + said[1:]


def explain_action(d: Diagnostic, lines: dict[int, Lines]) -> lsp.CodeAction:
    title = f"Explain {d.code}"
    command = lsp.Command(title=title, command=EXPLAIN, arguments=[d.code])
    return lsp.CodeAction(title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[shown(d, lines)], command=command)


def fix_all_action(analysis: Analysis, fixable: list[Diagnostic]) -> lsp.CodeAction:
    return lsp.CodeAction(
        title=f"Apply all {len(fixable)} fixes of this file",
        kind=lsp.CodeActionKind.SourceFixAll,
        edit=edit_of(analysis, fixable),
    )


def edit_of(analysis: Analysis, fixed: list[Diagnostic]) -> lsp.WorkspaceEdit:
    """Of fixes that overlap, the first."""
    edits, end = [], -1
    for d in sorted(fixed, key=lambda d: d.fix.span.start if d.fix is not None else 0):
        assert d.fix is not None
        span = d.fix.span
        if span.start >= end and (span.start, span.end) != (end, end):
            edits.append(lsp.TextEdit(analysis.lines.range(span.start, span.end), d.fix.replacement))
            end = span.end
    return lsp.WorkspaceEdit(changes={uri_of(analysis.source.path): edits})

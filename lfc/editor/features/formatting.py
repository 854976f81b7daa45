"""The canonical layout, as the edits that lead to it."""

from __future__ import annotations

from difflib import SequenceMatcher

from lsprotocol import types as lsp

from lfc.diagnostics.model import Diagnostics
from lfc.editor.analysis.analyse import Analysis
from lfc.front_end.format_files import format_source


def formatting(analysis: Analysis) -> list[lsp.TextEdit]:
    """None where the text has errors of syntax: it is left alone."""
    text = analysis.source.text
    formatted = format_source(analysis.source, Diagnostics()) if text.strip() else None
    return [] if formatted is None else line_edits(analysis, formatted)


def line_edits(analysis: Analysis, formatted: str) -> list[lsp.TextEdit]:
    """Only the lines that differ, so that cursors and breakpoints of all others stay."""
    old, new = analysis.source.text.splitlines(keepends=True), formatted.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    edits = []
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            edits.append(lsp.TextEdit(analysis.lines.range(starts[a], starts[b]), "".join(new[c:d])))
    return edits

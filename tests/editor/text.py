"""An analysed text with a cursor: `|` stands where it is."""

from __future__ import annotations

from lsprotocol import types as lsp

from lfc.base.source import Source
from lfc.editor.analysis.analyse import Analysis, analyse_source
from lfc.editor.analysis.project import Setting


def analysed(text: str, path: str = "/nowhere/Test.lf", **others: str) -> Analysis:
    """`others`: modules beside it, by name."""
    sources = [Source(f"/nowhere/{name}.lf", other) for name, other in others.items()]
    return analyse_source(Source(path, text), sources, Setting())


def with_cursor(text: str, **others: str) -> tuple[Analysis, lsp.Position]:
    assert text.count("|") == 1
    analysis = analysed(text.replace("|", ""), **others)
    return analysis, analysis.lines.position(text.index("|"))

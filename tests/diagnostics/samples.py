"""Diagnostics made by hand, for the tests of their renderings."""

from __future__ import annotations

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Fix, Note

TEXT = """MODULE Sample;
VAR count : INTEGER;
PROCESS Work(n : INTEGER);
BEGIN
\tcuont := n + "\u6f22\u5b57" + count
END Work;
END Sample.
"""


def span_of(source: Source, text: str, nth: int = 0) -> Span:
    at = -1
    for _ in range(nth + 1):
        at = source.text.index(text, at + 1)
    return Span(source, at, at + len(text))


def sample() -> Diagnostics:
    """Out of order; with a note that points, a note that does not, a fix, several lines, wide characters."""
    source = Source("sample.lf", TEXT)
    diagnostics = Diagnostics()
    body = span_of(source, "PROCESS").to(span_of(source, "END Work"))
    diagnostics.report("LF0906", body, "a span over several lines")
    wrong = span_of(source, "cuont")
    fix = Fix(wrong, "count", "write `count`")
    declared = Note("`count` is declared here", span_of(source, "count"))
    diagnostics.report("LF0904", wrong, "unknown name `cuont`", declared, Note("names are case-sensitive"), fix=fix)
    diagnostics.report("LF0903", span_of(source, "count", 1), "after wide characters")
    diagnostics.report("LF0901", Span(Source("absent file.lf", ""), 0, 0), "there is no file `absent file.lf`")
    return diagnostics

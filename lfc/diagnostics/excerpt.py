"""A few columns of a source around a span, with what lies under it marked."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.base.source import Source, Span
from lfc.diagnostics.visible import cells, width

ELLIPSIS = "..."


@dataclass(slots=True)
class Line:
    number: int
    text: str
    mark: str  # blanks, then one caret for each column of the span in this line


def excerpt(span: Span, columns: int) -> list[Line]:
    """The line of the span; of a span over several lines the first and the last one."""
    source = span.source
    if not source.text:
        return []
    first, first_column = source.line_and_column(min(span.start, len(source.text)))
    last, last_column = source.line_and_column(min(max(span.end, span.start), len(source.text)))
    if first == last:
        return [_cut(source, first, first_column - 1, last_column - 1, columns)]
    lines = [_cut(source, first, first_column - 1, _length(source, first), columns)]
    closing = source.line_text(last)
    indentation = len(closing) - len(closing.lstrip())
    if last_column - 1 > indentation:
        lines.append(_cut(source, last, indentation, last_column - 1, columns))
    return lines


def replaced_lines(span: Span, replacement: str, columns: int) -> list[Line]:
    """The lines of the span as they read after the replacement, with the new text marked."""
    source = span.source
    first, first_column = source.line_and_column(min(span.start, len(source.text)))
    last, last_column = source.line_and_column(min(span.end, len(source.text)))
    before = source.line_text(first)[: first_column - 1] if source.text else ""
    after = source.line_text(last)[last_column - 1 :] if source.text else ""
    changed = Source(source.path, before + replacement + after)
    start, end = len(before), len(before) + len(replacement)
    if "\n" not in replacement:
        line = _cut(changed, 1, start, end, columns)
        return [Line(first, line.text, line.mark.replace("^", "+") if replacement else "")]
    shown = []
    for number, text in enumerate(changed.text.split("\n"), 1):
        line = _cut(changed, number, 0, len(text), columns)
        shown.append(Line(first + number - 1, line.text, ""))
    return shown


def _length(source: Source, line: int) -> int:
    return len(source.line_text(line))


def _cut(source: Source, number: int, start: int, end: int, columns: int) -> Line:
    """Character positions `start` to `end` of a line in a window of `columns`: a megabyte is no page."""
    text = source.line_text(number)
    start = min(start, len(text))
    end = min(max(end, start), len(text))
    low, high = 0, len(text)
    if high > columns:
        low = max(0, min(start - columns // 3, len(text) - columns))
        high = min(len(text), low + columns)
        end = min(end, high)
    shown = cells(text[low:high])
    while high > low + 1 and sum(map(width, shown)) > columns:  # wide characters, tabs, visible control characters
        if high > end and high - 1 > start:
            high -= 1
            shown.pop()
        elif low < start:
            low += 1
            shown = cells(text[low:high])
        else:
            high -= 1
            shown.pop()
            end = min(end, high)
    left = ELLIPSIS if low > 0 else ""
    right = ELLIPSIS if high < len(text) else ""
    blank = width(left) + sum(map(width, shown[: start - low]))
    marked = sum(map(width, shown[start - low : end - low]))
    return Line(number, left + "".join(shown) + right, " " * blank + "^" * max(1, marked))

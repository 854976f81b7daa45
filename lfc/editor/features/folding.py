"""What can be folded: processes, declarations, statements with an inside, comments."""

from __future__ import annotations

from lsprotocol import types as lsp

from lfc.editor.analysis.analyse import Analysis
from lfc.syntax.grammar import tree

FOLDED = (
    tree.ProcessDecl,
    tree.PropertyDecl,
    tree.Section,
    tree.RecordType,
    tree.If,
    tree.Case,
    tree.While,
    tree.Repeat,
    tree.For,
    tree.Loop,
    tree.Select,
    tree.When,
    tree.Choice,
)


def folding_ranges(analysis: Analysis) -> list[lsp.FoldingRange]:
    text, lines = analysis.text, analysis.lines
    found: dict[int, lsp.FoldingRange] = {}  # by first line: the outermost

    def fold(start: int, end: int, kind: lsp.FoldingRangeKind | None = None) -> None:
        first, last = lines.position(start).line, lines.position(end).line
        if last > first and first not in found:
            found[first] = lsp.FoldingRange(first, last, kind=kind)

    stack: list[tree.Node] = [] if text is None else [text.tree]
    while stack:
        node = stack.pop()
        if isinstance(node, FOLDED):
            fold(node.span.start, node.span.end)
        stack.extend(reversed(list(tree.children(node))))
    for start, end in analysis.tokens.comments:
        fold(start, end, lsp.FoldingRangeKind.Comment)
    return [found[line] for line in sorted(found)]

"""The canonical layout of a program's text: tree to document to lines."""

from __future__ import annotations

import sys

from lfc.syntax.format.comments import give_comments
from lfc.syntax.format.declarations import DeclarationForms
from lfc.syntax.format.document import Document, Line, anchor, break_groups, note_what_follows
from lfc.syntax.format.layout import Layout
from lfc.syntax.grammar import tree

FRAMES_PER_LEVEL = 8  # how deep Python's stack grows at most for one level of the tree


def format_module(module: tree.Module) -> str:
    """The module in the canonical layout. It was parsed without errors; its comments are those of its source."""
    depth, declared = _depth_and_names(module)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 1000 + FRAMES_PER_LEVEL * depth))
    try:
        body = DeclarationForms(declared).module(module)
    finally:
        sys.setrecursionlimit(before)
    document: Document = [body, Line(keeps_blank=True, hard=True), anchor()]
    words = note_what_follows(document)
    give_comments(words, module.source)
    break_groups(document)
    return Layout().lay_out(document)


def _depth_and_names(module: tree.Module) -> tuple[int, set[str]]:
    deepest, names = 0, set()
    stack: list[tuple[int, tree.Node]] = [(0, module)]
    while stack:
        depth, node = stack.pop()
        deepest = max(deepest, depth)
        if isinstance(node, tree.Name | tree.IdentDef):
            names.add(node.text)
        stack.extend((depth + 1, child) for child in tree.children(node))
    return deepest, names

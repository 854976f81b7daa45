"""Small documents that all constructs are made of."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.base.source import Span
from lfc.syntax.format.document import SPACE, Document, Group, Indent, Line, Word
from lfc.syntax.grammar import tree

CONTINUED = 4  # a statement's further lines are indented more than its body
NESTED = 2


def name(node: tree.Name | tree.IdentDef) -> Document:
    word = Word(node.text, node.span.start)
    return [word, Word("*")] if isinstance(node, tree.IdentDef) and node.exported else word


def spaced(*documents: Document) -> Document:
    """One after the other, with a space between."""
    found: list[Document] = []
    for document in documents:
        found.extend((document, SPACE))
    return found[:-1]


def listed(items: Sequence[Document], separator: str = ",") -> Document:
    """Filled: a line ends after a separator where the next item does not fit."""
    found: list[Document] = []
    for item in items:
        if found:
            found.append(Word(separator))
            found.append(Group([Line(), item]))
        else:
            found.append(item)
    return found


def in_brackets(opening: str, items: Sequence[Document], closing: str, separator: str = ",") -> Document:
    return [Word(opening), Indent(CONTINUED, listed(items, separator)), Word(closing)]


def on_one_line(span: Span) -> bool:
    return "\n" not in span.source.text[span.start : span.end]


def same_line(before: tree.Node, after: tree.Node) -> bool:
    """Whether one begins on the line on which the other ends."""
    return "\n" not in before.span.source.text[before.span.end : after.span.start]


def tagged(head: Document, requirements: Sequence[tree.Name]) -> Document:
    """With the requirements that it names, `{REQ: SYS-12}`."""
    if not requirements:
        return head
    tags = listed([tag(r) for r in requirements], ",")
    return [head, SPACE, Word("{"), Word("REQ"), Word(":"), SPACE, Indent(CONTINUED, tags), Word("}")]


def tag(requirement: tree.Name) -> Document:
    """`SYS-12` is three tokens."""
    found: list[Document] = []
    for part in requirement.text.split("-"):
        found += [Word("-"), Word(part)] if found else [Word(part)]
    return found

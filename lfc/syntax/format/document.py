"""What the layout is made from: words, places where a line may end, indentation and groups.

A document is built from the tree (statements.py and its kin), gets its comments (comments.py) and is laid out
(layout.py). A group is printed on one line if it may be and fits, otherwise its own lines end where they may.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(slots=True, eq=False)
class Piece:
    """A comment before a word."""

    text: str
    column: int  # where it began in the source
    own_line: bool  # nothing follows it on its line
    blank_before: bool
    starts_line: bool = False  # it, or what it shares the line with, is there alone


@dataclass(slots=True, eq=False)
class Word:
    """A token. Its text may differ where its group is on one line."""

    text: str
    position: int = -1  # of a name or literal: its offset in the source
    flat_text: str | None = None
    also_written: tuple[str, ...] = ()  # other spellings in the source
    closes: Word | None = None  # the anchor at the end of the body before it, which takes the comments before it
    closes_deeper: bool = False  # only those indented deeper than this word: ELSE and its kin have some of their own
    keeps_to_line: bool = False  # never the first word of a line: the operator OR
    before: list[Piece] = field(default_factory=list)
    blank_before: bool = False
    after: list[tuple[str, int]] = field(default_factory=list)  # comments behind it, with their columns
    ends_line: bool = False  # a line ended behind those
    line_follows: bool = False  # a Line comes next


@dataclass(slots=True, eq=False)
class Line:
    """Where a line may end: a space if it does not."""

    keeps_blank: bool = False  # an empty line in the source stays
    hard: bool = False  # it always ends
    next_word: Word | None = None


@dataclass(slots=True, eq=False)
class Space:
    pass


@dataclass(slots=True, eq=False)
class Indent:
    by: int
    content: Document


@dataclass(slots=True, eq=False)
class Group:
    content: Document
    broken: bool = False


Document: TypeAlias = "Word | Line | Space | Indent | Group | list[Document]"

SPACE = Space()


def anchor() -> Word:
    """The end of a body: no text, but comments can be before it."""
    return Word("")


def parts(document: Document) -> Iterator[Word | Line | tuple[bool, Group]]:
    """Words and lines in order, and where each group begins (True) and ends."""
    stack: list[Document | tuple[bool, Group]] = [document]
    while stack:
        d = stack.pop()
        if isinstance(d, list):
            stack.extend(reversed(d))
        elif isinstance(d, Indent):
            stack.append(d.content)
        elif isinstance(d, Group):
            yield True, d
            stack.append((False, d))
            stack.append(d.content)
        elif not isinstance(d, Space):
            yield d


def note_what_follows(document: Document) -> list[Word]:
    """Tell words and lines what comes next; the words in order."""
    words: list[Word] = []
    waiting: list[Line] = []
    for part in parts(document):
        if isinstance(part, Word):
            words.append(part)
            for line in waiting:
                line.next_word = part
            waiting = []
        elif isinstance(part, Line):
            waiting.append(part)
            for word in reversed(words):
                word.line_follows = True
                if word.text:
                    break
    return words


def break_groups(document: Document) -> None:
    """A group cannot be on one line if a line ends inside: a hard one, or at a comment between its words."""
    open_groups: list[_Seen] = []
    for part in parts(document):
        if isinstance(part, tuple):
            begins, group = part
            if begins:
                open_groups.append(_Seen(group))
            else:
                seen = open_groups.pop()
                if seen.breaks:
                    group.broken = True
                if open_groups:
                    open_groups[-1].take(seen)
        elif isinstance(part, Line):
            if open_groups and part.hard:
                open_groups[-1].breaks = True
        elif open_groups:
            open_groups[-1].word(part)


@dataclass(slots=True)
class _Seen:
    """What has been seen of an open group."""

    group: Group
    breaks: bool = False
    starts: bool = False  # a word has been seen
    comment_first: bool = False  # alone on its line before the first word
    line_ended: bool = False  # behind the last word seen

    def word(self, word: Word) -> None:
        if any(p.own_line for p in word.before):
            self._comment()
        if word.text:
            if self.line_ended:
                self.breaks = True
            self.starts = True
            self.line_ended = bool(word.after) and word.ends_line

    def _comment(self) -> None:
        if self.starts:
            self.breaks = True
        else:
            self.comment_first = True

    def take(self, inner: _Seen) -> None:
        """Of a group inside that has ended."""
        if inner.comment_first:
            self._comment()
        if inner.group.broken:
            self.breaks = True
        if inner.starts:
            if self.line_ended:
                self.breaks = True
            self.starts = True
            self.line_ended = inner.line_ended

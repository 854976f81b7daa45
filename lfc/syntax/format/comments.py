"""Gives the comments of the source to the words of a document.

The words are matched with the tokens of the source; what stands between two matched tokens goes behind the first one
if it ends that line, else before the second one. So every comment is printed once, and their order is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.format.document import Piece, Word
from lfc.syntax.grammar.lexer import Tokens, cut_into_tokens


def give_comments(words: list[Word], source: Source) -> None:
    """`words` in order; the last one has no text and stands for the end of the file."""
    tokens = cut_into_tokens(source, Diagnostics())
    end = words[-1]
    matched = match_words([w for w in words if w.text], tokens)
    holders = _holders(words, {id(word) for word, _ in matched})
    comments = iter(tokens.comments)
    comment = next(comments, None)
    before: Word | None = None
    at = 0
    for word, index in [*matched, (end, -1)]:
        start = len(source.text) if index < 0 else tokens.starts[index]
        found = []
        while comment is not None and comment[0] < start:
            found.append(comment)
            comment = next(comments, None)
        _Gap(source, before, word, at, start).share(found, holders.get(id(before)))
        at = start if index < 0 else tokens.ends[index]
        before = word
    _keep_or_off_line_starts(words)


def _holders(words: list[Word], matched: set[int]) -> dict[int, Word]:
    """For each matched word the one behind which a line can end: itself, or what is written anew right after it."""
    holders: dict[int, Word] = {}
    before: Word | None = None
    for word in words:
        if id(word) in matched:
            before = word
        if before is not None and word.text and word.line_follows and id(before) not in holders:
            holders[id(before)] = word
    return holders


def match_words(words: list[Word], tokens: Tokens) -> list[tuple[Word, int]]:
    """Pairs of words and tokens, both in order. Names and literals know where they are; others lie between them."""
    index_at = {start: index for index, start in enumerate(tokens.starts[:-1])}
    pairs: list[tuple[Word, int]] = []
    pending: list[Word] = []
    next_token = 0
    for word in words:
        index = index_at.get(word.position, -1)
        if index < next_token:
            pending.append(word)
            continue
        pairs.extend(_match_between(pending, tokens, next_token, index))
        pairs.append((word, index))
        pending = []
        next_token = index + 1
    pairs.extend(_match_between(pending, tokens, next_token, len(tokens.starts) - 1))
    return pairs


def _match_between(words: list[Word], tokens: Tokens, first: int, end: int) -> list[tuple[Word, int]]:
    """The longest common sequence of some words and the tokens in a range."""
    texts = [tokens.text(i) for i in range(first, end)]
    if len(words) == len(texts) and all(_same(w, t) for w, t in zip(words, texts, strict=True)):
        return list(zip(words, range(first, end), strict=True))
    if len(words) * len(texts) > 1_000_000:
        return []
    longest = [[0] * (len(texts) + 1) for _ in range(len(words) + 1)]
    for i in reversed(range(len(words))):
        for j in reversed(range(len(texts))):
            if _same(words[i], texts[j]):
                longest[i][j] = longest[i + 1][j + 1] + 1
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(words) and j < len(texts):
        if _same(words[i], texts[j]):
            pairs.append((words[i], first + j))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _same(word: Word, text: str) -> bool:
    return word.text == text or text in word.also_written


@dataclass(slots=True)
class _Gap:
    """Between two matched tokens: the words before and after it, and its range in the source."""

    source: Source
    before: Word | None
    after: Word
    start: int
    end: int

    def share(self, comments: list[tuple[int, int]], holder: Word | None) -> None:
        """`holder` can have comments behind it: a line can end there."""
        text = self.source.text
        # Line ends between one thing and the next. Tokens that are not printed again do not count.
        places = [self.start, *(x for c in comments for x in c), self.end]
        between = [text.count("\n", places[i], places[i + 1]) for i in range(0, len(places), 2)]
        if not self.after.text:
            between[-1] = max(between[-1], 1)  # the end of the file ends a line
        self.after.blank_before = between[-1] > 1
        on_line_before = 0
        while self.before is not None and on_line_before < len(comments) and between[on_line_before] == 0:
            on_line_before += 1
        pieces = [
            Piece(text[start:end], self.source.line_and_column(start)[1] - 1, between[i + 1] > 0, between[i] > 1)
            for i, (start, end) in enumerate(comments)
        ]
        line_ends = between[on_line_before] > 0
        if on_line_before and holder is not None and (line_ends or self.after.closes is not None):
            holder.after = [(p.text, p.column) for p in pieces[:on_line_before]]
            holder.ends_line = line_ends
            pieces = pieces[on_line_before:]
        elif on_line_before:
            pieces[on_line_before - 1].own_line = False
        _mark_lines(pieces, between[-len(pieces) - 1 :])
        closed = self._closed(pieces, line_ends=between[-1] > 0)
        if self.after.closes is not None:
            for piece in pieces[:closed]:
                piece.own_line = True
            self.after.closes.before.extend(pieces[:closed])
        self.after.before.extend(pieces[closed:])

    def _closed(self, pieces: list[Piece], line_ends: bool) -> int:
        """How many of the comments belong to the body that ends before the word."""
        if self.after.closes is None:
            return 0
        if not self.after.closes_deeper:
            return len(pieces)
        column = self.source.line_and_column(self.end)[1] - 1
        closed = 0
        while line_ends and closed < len(pieces) and pieces[closed].own_line and pieces[closed].column > column:
            closed += 1
        return closed


def _mark_lines(pieces: list[Piece], between: list[int]) -> None:
    """`between`: the line ends before each piece and after the last. Several pieces may share a line."""
    first = 0
    for i, piece in enumerate(pieces):
        if between[i]:
            first = i
        if piece.own_line and between[first]:
            pieces[first].starts_line = True


def _keep_or_off_line_starts(words: list[Word]) -> None:
    """An OR that is the first word of its line would separate the branches of a CHOICE."""
    for word, following in zip(words, words[1:], strict=False):
        if word.keeps_to_line and word.before:
            if word.after or word.before[-1].own_line:
                word.after = [*((p.text, p.column) for p in word.before), *word.after]
                word.ends_line = True
            else:
                following.before[:0] = word.before
            word.before = []

"""Turns tokens that are no module into tokens that are one, and reports what is wrong.

At a token that cannot follow, the cheapest edit is made that lets the parser go on
(lfc/syntax/recovery/repairs.py), then it goes on. Since an edit changes tokens and not the stack, the result is an
ordinary text of the grammar.
"""

from __future__ import annotations

from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar.lexer import Tokens
from lfc.syntax.grammar.tables import END_OF_TEXT
from lfc.syntax.grammar.terminals import NUMBER
from lfc.syntax.recovery.blocks import Layout
from lfc.syntax.recovery.repairs import Edit, Piece, Reason, Repairs, take
from lfc.syntax.recovery.stack import BOTTOM, Stack, acceptable, complete, shift
from lfc.syntax.recovery.wording import Wording

REPORTED_AT_MOST = 20  # syntax errors of one file
QUIET = 2  # tokens to be understood after an error before the next one is reported
DEEPEST_STACK = 1200  # entries; far above what the nesting limit of the tree needs

_END_OF_TEXT = NUMBER[END_OF_TEXT]


def repair_tokens(tokens: Tokens, diagnostics: Diagnostics) -> Tokens:
    """Tokens that the grammar accepts, as like the given ones as can be."""
    return _Recovery(tokens, diagnostics).run()


class _Recovery:
    def __init__(self, tokens: Tokens, diagnostics: Diagnostics) -> None:
        self.tokens = tokens
        self.out = Tokens(tokens.source, comments=tokens.comments)
        self.layout = Layout(tokens)
        self.wording = Wording(tokens, diagnostics)
        self.stacks: dict[int, Stack] = {0: BOTTOM}  # before each token that was not taken away
        self.lengths: dict[int, int] = {0: 0}  # of the output before each such token
        self.stack = BOTTOM
        self.earliest = 0  # edits before this token have been made
        self.quiet_until = 0
        self.errors = 0

    def run(self) -> Tokens:
        index = 0
        last = len(self.tokens.kinds) - 1
        while True:
            self.stacks[index] = self.stack
            self.lengths[index] = len(self.out.kinds)
            taken = take(self.tokens, self.stack, index)
            if taken is not None:
                self._put(taken[0], index)
                self.stack = taken[1]
                if index == last:
                    return self.out
                if self.stack[2] > DEEPEST_STACK:
                    self.wording.nested_too_deeply(index)
                    return self._give_up(index)
                index += 1
                continue
            repairs = Repairs(self.tokens, self.layout, self.stacks, self.earliest, index)
            if acceptable(self.stack) == {_END_OF_TEXT} and self._ends_here(repairs, index):
                index = last
                continue
            edit = repairs.best()
            if edit is None or self.errors >= REPORTED_AT_MOST:
                rest = tuple(Piece(terminal) for terminal in complete(self.stack)) if index == last else ()
                self._report(Edit(Reason.SENSELESS, index, last - index, rest, 0.0), index)
                return self._give_up(index)
            index = self._make(edit, index)

    def _ends_here(self, repairs: Repairs, index: int) -> bool:
        """The module is complete, but text follows: perhaps it ended too early."""
        edit = repairs.best()
        if edit is not None and edit.reason in (Reason.LAYOUT, Reason.MISSPELLED):
            return False
        self.wording.text_after_end(index)
        return True

    def _report(self, edit: Edit, index: int) -> None:
        near = any(i in self.tokens.reported for i in range(max(index - 2, 0), index + edit.removed + 1))
        if index < self.quiet_until or near:
            return
        at = index if edit.reason is Reason.SENSELESS else edit.at
        self.wording.report(edit, index, self.stacks[at], self.out)
        self.errors += 1

    def _make(self, edit: Edit, index: int) -> int:
        """Edit the output; the token with which to go on."""
        self._cut_output(self.lengths[edit.at])
        self._report(edit, index)
        self.stack = self.stacks[edit.at]
        for piece in edit.pieces:
            after = shift(self.stack, piece.terminal)
            assert after is not None
            self.stack = after
            self._put_piece(piece, edit.at)
        index_after = edit.at + edit.removed
        self.earliest = index_after
        self.quiet_until = max(index, index_after) + QUIET
        return index_after

    def _cut_output(self, length: int) -> None:
        for column in (self.out.kinds, self.out.starts, self.out.ends):
            del column[length:]
        self.out.reported = {token for token in self.out.reported if token < length}

    def _put(self, terminal: int, index: int) -> None:
        if index in self.tokens.reported:
            self.out.reported.add(len(self.out.kinds))
        self.out.kinds.append(terminal)
        self.out.starts.append(self.tokens.starts[index])
        self.out.ends.append(self.tokens.ends[index])

    def _put_piece(self, piece: Piece, at: int) -> None:
        if piece.last > piece.first:
            start, end = self.tokens.starts[piece.first], self.tokens.ends[piece.last - 1]
            if any(i in self.tokens.reported for i in range(piece.first, piece.last)):
                self.out.reported.add(len(self.out.kinds))
        else:
            start = end = self.tokens.ends[at - 1] if at else 0
        self.out.kinds.append(piece.terminal)
        self.out.starts.append(start)
        self.out.ends.append(end)

    def _give_up(self, index: int) -> Tokens:
        """Complete what is there; the rest of the text is not looked at."""
        for terminal in complete(self.stack):
            self._put_piece(Piece(terminal), index)
        self._put(_END_OF_TEXT, len(self.tokens.kinds) - 1)
        return self.out

"""Guesses from the layout where an END or the keyword that opens a block got lost.

The parser sees a lost END only where the blocks no longer add up, often at the end of the process. A programmer sees
it at once: the indentation says what belongs together. These guesses are tried by recovery, never believed.
"""

from __future__ import annotations

from dataclasses import dataclass

from lfc.syntax.grammar.lexer import Tokens
from lfc.syntax.grammar.terminals import NUMBER

TAB = 8


def _numbers(*names: str) -> frozenset[int]:
    return frozenset(NUMBER[n] for n in names)


_END, _UNTIL, _REPEAT, _IDENT, _SEMICOLON, _DOT = (
    NUMBER[n] for n in ("END", "UNTIL", "REPEAT", "IDENT", "SEMICOLON", "DOT")
)
STATEMENT_BLOCKS = _numbers("IF", "CASE", "WHILE", "REPEAT", "FOR", "LOOP", "SELECT", "CHOICE", "RECORD")
OUTER_BLOCKS = _numbers("MODULE", "PROCESS", "PROCEDURE", "PROPERTY")
_BRANCH_STARTS = _numbers("OR", "OR_BRANCH", "VBAR")
# What may start a line at the column of its block, or continue a statement from the line before.
_GOES_ON = _BRANCH_STARTS | _numbers(
    *("END ELSE ELSIF WHEN UNTIL THEN DO OF TO BY AMPERSAND PLUS MINUS STAR SLASH DIV MOD IN RPAR RSQB RBRACE".split()),
    *("COMMA DOT EQUAL NOT_EQUAL LESSTHAN LESS_EQUAL MORETHAN GREATER_EQUAL LPAR LSQB BECOMES COLON SEMICOLON".split()),
)
_CLOSER_OF = {NUMBER["LPAR"]: NUMBER["RPAR"], NUMBER["LSQB"]: NUMBER["RSQB"]}
_CLOSERS = frozenset(_CLOSER_OF.values())
_ENDS_BRACKETS = _numbers("CONST", "TYPE", "VAR", "PORT", "ASSUME", "PROCESS", "PROCEDURE", "PROPERTY", "BEGIN")


@dataclass(frozen=True, slots=True)
class Guess:
    """Before token `at`, write the terminals (with a semicolon after them if need be), or take a token away."""

    at: int
    terminals: tuple[int, ...]
    removed: int = 0


@dataclass(slots=True)
class _Block:
    terminal: int
    token: int
    column: int  # of the line on which it opens
    line: int
    name: str = ""


class Layout:
    """The first words of the lines, and their columns."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.column_of_line_start: dict[int, int] = {}  # token -> column
        text = tokens.source.text
        for index, start in enumerate(tokens.starts):
            if tokens.starts_line(index):
                line_start = text.rfind("\n", 0, start) + 1
                before = text[line_start:start]
                self.column_of_line_start[index] = len(before.expandtabs(TAB)) if len(before) < 1000 else len(before)

    def guesses(self, first: int, until: int) -> list[Guess]:
        """What may have got lost between two tokens, the likeliest first; `first` is outside of all statements."""
        return _Search(self, first, until).found


class _Search:
    def __init__(self, layout: Layout, first: int, until: int) -> None:
        self.layout = layout
        self.tokens = layout.tokens
        self.first = first
        self.found: list[Guess] = []
        self.open: list[_Block] = []
        self.column = 0  # of the current line
        self.line = 0
        self.line_start = first
        self.brackets: list[int] = []  # tokens that open round or square brackets
        kinds = self.tokens.kinds
        for index in range(first, min(until + 1, len(kinds))):
            column = layout.column_of_line_start.get(index)
            if column is not None:
                self.column = column
                self.line += 1
                self.line_start = index
                self._close_by_column(index)
            kind = kinds[index]
            if kind in _CLOSER_OF:
                self.brackets.append(index)
            elif kind in _CLOSERS and self.brackets:
                self.brackets.pop()
            elif kind in _ENDS_BRACKETS and self.brackets:
                if column is not None:
                    self._bracket_lost(index)
                self.brackets.clear()
            if kind in STATEMENT_BLOCKS:
                self.open.append(_Block(kind, index, self.column, self.line))
            elif kind in OUTER_BLOCKS:
                self._open_outer(index)
            elif kind == _END:
                self._end(index, starts_line=column is not None)
            elif kind in _BRANCH_STARTS and kind != NUMBER["VBAR"] and column is not None:
                if self.open and self.open[-1].terminal != NUMBER["CHOICE"]:
                    self._opener_lost(index, column)
            elif kind == _UNTIL and self.open:
                if self.open[-1].terminal == _REPEAT:
                    self.open.pop()
                elif column is not None:
                    self._opener_lost(index, column)

    def _bracket_lost(self, index: int) -> None:
        """A line starts with a keyword of declarations while a bracket is open: it should have closed before."""
        opener = self.brackets[-1]
        closer = _CLOSER_OF[self.tokens.kinds[opener]]
        semicolons = [i for i in range(opener, index) if self.tokens.kinds[i] == _SEMICOLON]
        on_its_line = [i for i in semicolons if i + 1 in self.layout.column_of_line_start]
        if on_its_line:
            self.found.append(Guess(on_its_line[0], (closer,)))

    def _open_outer(self, index: int) -> None:
        kinds = self.tokens.kinds
        word = self.tokens.text(index + 1) if kinds[index + 1] == _IDENT else ""
        if kinds[index] == NUMBER["PROPERTY"] and kinds[index + 2 : index + 3] == [NUMBER["EQUAL"]]:
            return  # a formula has no END
        self.open.append(_Block(kinds[index], index, self.column, self.line, word))

    def _close_by_column(self, index: int) -> None:
        """A line that starts no deeper than an open block's line ends the block."""
        kind = self.tokens.kinds[index]
        while self.open and self.open[-1].terminal in STATEMENT_BLOCKS:
            block = self.open[-1]
            if block.line == self.line or self.column > block.column:
                break
            if self.column == block.column and kind in _GOES_ON:
                break
            if (
                kind in _GOES_ON
                and kind not in (_END, _UNTIL)
                and kind not in _BRANCH_STARTS
                and kind != NUMBER["ELSE"]
            ):
                if kind not in (NUMBER["ELSIF"], NUMBER["WHEN"]):
                    break  # a statement that goes on far to the left
            self.open.pop()
            self._closer_lost(block, index)
        # A process that starts no deeper than another one ends it.
        if kind in OUTER_BLOCKS and self.open and self.open[-1].terminal in OUTER_BLOCKS - {NUMBER["MODULE"]}:
            if self.column <= self.open[-1].column:
                self.open.pop()
                self.found.append(Guess(index, (_END, _IDENT, _SEMICOLON)))
        # A name alone where END Name should be.
        kinds = self.tokens.kinds
        if kind == _IDENT and index + 1 < len(kinds) and kinds[index + 1] in (_SEMICOLON, _DOT):
            if any(b.name == self.tokens.text(index) and b.column == self.column for b in self.open):
                self.found.append(Guess(index, (_END,)))

    def _closer_lost(self, block: _Block, index: int) -> None:
        closer = _UNTIL if block.terminal == _REPEAT else _END
        before_semicolon = index - 1 if self.tokens.kinds[index - 1] == _SEMICOLON else index
        self.found.append(Guess(before_semicolon, (closer,)))
        if before_semicolon != index:
            self.found.append(Guess(index, (closer,)))

    def _end(self, index: int, starts_line: bool) -> None:
        kinds = self.tokens.kinds
        word = self.tokens.text(index + 1) if index + 1 < len(kinds) and kinds[index + 1] == _IDENT else ""
        if word and index + 1 in self.layout.column_of_line_start and self.open and not self.open[-1].name:
            self.found.append(Guess(index + 1, (_END,)))  # the name of a process, alone on the next line
        elif word and any(b.name == word for b in self.open):
            # END Name closes all up to the process of that name.
            while (block := self.open.pop()).name != word:
                if block.terminal in STATEMENT_BLOCKS:
                    self._closer_lost(block, index)
            return
        if starts_line and self.open and self.open[-1].column < self.column:
            self._opener_lost(index, self.column)
        elif self.open:
            block = self.open.pop()
            if not starts_line and block.line < self.line and block.terminal in STATEMENT_BLOCKS:
                # An END inside a line closes what opened on that line, as a rule.
                self.found.append(Guess(self.line_start, (NUMBER["LOOP"],)))

    def _opener_lost(self, closer: int, column: int) -> None:
        """The closer stands deeper than the innermost open block: the lines before it got deeper without a reason."""
        starts = self.layout.column_of_line_start
        opened = self.open[-1].token if self.open else self.first
        deeper = closer
        for index in range(closer - 1, opened, -1):
            if index in starts:
                if starts[index] <= column:
                    break
                deeper = index
        kinds = self.tokens.kinds
        if kinds[closer] == _UNTIL:
            openers = ["REPEAT"]
        elif any(kinds[i] in _BRANCH_STARTS for i in range(deeper, closer + 1)):
            openers = ["CHOICE", "LOOP"]
        else:
            openers = ["LOOP", "CHOICE", "SELECT"]
        self.found += [Guess(deeper, (NUMBER[name],)) for name in openers]
        self.found.append(Guess(closer, (), removed=1))

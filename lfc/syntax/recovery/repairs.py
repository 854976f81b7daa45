"""What could make tokens acceptable where they are not: edits, their costs, and how far each lets the parser go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from lfc.syntax.grammar.lexer import Tokens, may_separate_branches
from lfc.syntax.grammar.tables import END_OF_TEXT
from lfc.syntax.grammar.terminals import KEYWORDS, NUMBER, UNKNOWN
from lfc.syntax.recovery.blocks import Layout
from lfc.syntax.recovery.spelling import likely_keywords
from lfc.syntax.recovery.stack import Stack, acceptable, ends_declaration, next_step, shift

LOOK_AHEAD = 16  # tokens after an error that judge an edit
ENOUGH = 4  # of them must be understood, for an edit of a token or two
SURE = 1.2  # an edit of a lower cost is likely what is wrong, and needs only one or two of them
FARTHEST_SKIP = 400  # tokens skipped to find text that makes sense again
LONGEST_CONTINUATION = 40


class Reason(Enum):
    MISSING = auto()
    SURPLUS = auto()
    REPLACED = auto()
    MISSPELLED = auto()
    KEYWORD_AS_NAME = auto()
    SWAPPED = auto()
    LAYOUT = auto()  # missing or surplus, as the layout of the blocks suggests
    SENSELESS = auto()
    NO_SEMICOLON = auto()
    NO_NAME = auto()
    NO_STOP = auto()
    AFTER_END = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """A token to be put in; its text is that of the tokens from `first` up to (without) `last`, or nothing."""

    terminal: int
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Edit:
    reason: Reason
    at: int  # the token before which the pieces go
    removed: int  # tokens that go
    pieces: tuple[Piece, ...]
    cost: float


_END_OF_TEXT = NUMBER[END_OF_TEXT]
_IDENT, _SEMICOLON, _END, _DOT, _OR, _OR_BRANCH, _BEGIN = (
    NUMBER[n] for n in ("IDENT", "SEMICOLON", "END", "DOT", "OR", "OR_BRANCH", "BEGIN")
)
_ERROR_EXPRESSION, _ERROR_STATEMENT, _ERROR_TYPE, _ERROR_DECLARATION = (
    NUMBER["ERROR_" + n] for n in ("EXPRESSION", "STATEMENT", "TYPE", "DECLARATION")
)
_PLACEHOLDERS = (_ERROR_EXPRESSION, _ERROR_STATEMENT, _ERROR_TYPE, _ERROR_DECLARATION)
_LITERALS = {NUMBER[n] for n in ("INTEGER", "DECIMAL", "CHARACTER", "STRING")}
_NEVER_WRITTEN = _LITERALS | {
    _END_OF_TEXT,
    _ERROR_STATEMENT,
    _ERROR_DECLARATION,
    NUMBER["EXTERNAL"],
    NUMBER["TAG_BRACE"],
}
_DECLARATION_STARTS = {NUMBER[n] for n in "CONST TYPE VAR PORT ASSUME PROCESS PROCEDURE PROPERTY BEGIN END".split()}

_WRITING = dict.fromkeys(range(len(NUMBER)), 2.6)
for _cost, _names in [
    (0.9, "THEN DO OF TO"),
    (1.0, "SEMICOLON RPAR RSQB RBRACE"),
    (1.1, "COMMA COLON EQUAL"),
    (1.2, "END BECOMES WHEN"),
    (1.3, "VAR ERROR_TYPE"),
    (1.35, "CONST TYPE DOT LPAR"),
    (1.4, "ERROR_EXPRESSION IDENT PROCESS PORT MODULE SELECT LSQB"),
    (1.5, "BEGIN CHOICE UNTIL BANG QMARK IF WHILE CASE LOOP REPEAT CREATE"),
    (1.8, "RANGE ARRAY RECORD ELSE AMPERSAND LBRACE IMPORT"),
    (2.1, "PLUS FOR"),  # before a VAR among statements there is rather no FOR missing
]:
    _WRITING.update({NUMBER[n]: _cost for n in _names.split()})

# Belongs to what comes after it, and starts a line with it.
LEADING = {
    NUMBER[n]
    for n in (
        "BEGIN CONST TYPE VAR PORT ASSUME PROCESS PROCEDURE PROPERTY IF WHILE FOR CASE LOOP REPEAT SELECT CHOICE WHEN"
        " CREATE"
        " MODULE IMPORT ELSE ELSIF"
    ).split()
}

_REMOVING = dict.fromkeys(range(len(NUMBER) + 1), 1.9)
_REMOVING.update({NUMBER[n]: 1.3 for n in "SEMICOLON COMMA RPAR RSQB RBRACE COLON".split()})
_REMOVING[UNKNOWN] = 0.5

# Two signs of other languages, without a space between them, and what may be meant.
_FOREIGN = {
    "!=": ("NOT_EQUAL",),
    "==": ("EQUAL", "BECOMES"),
    "=:": ("BECOMES",),
    "=<": ("LESS_EQUAL",),
    "=>": ("IMPLIES", "GREATER_EQUAL"),  # the former in formulas alone
    "&&": ("AMPERSAND",),
    "||": ("OR",),
    "**": ("STAR",),
    "//": ("DIV",),
}

# What is easily written for what.
_CONFUSED = {
    (NUMBER[a], NUMBER[b])
    for a, b in [
        ("EQUAL", "BECOMES"),
        ("BECOMES", "EQUAL"),
        ("COLON", "BECOMES"),
        ("BECOMES", "COLON"),
        ("COLON", "EQUAL"),
        ("EQUAL", "COLON"),
        ("EVENTUALLY", "NOT_EQUAL"),
        ("COMMA", "SEMICOLON"),
        ("SEMICOLON", "COMMA"),
        ("COLON", "SEMICOLON"),
        ("SEMICOLON", "COLON"),
        ("DOT", "SEMICOLON"),
        ("DOT", "COMMA"),
        ("DOT", "RANGE"),
        ("LPAR", "LSQB"),
        ("RPAR", "RSQB"),
        ("RSQB", "RPAR"),
        ("LBRACE", "LPAR"),
        ("RBRACE", "RPAR"),
        ("BANG", "QMARK"),
        ("DO", "THEN"),
        ("THEN", "DO"),
        ("OR", "VBAR"),
        ("COMMA", "VBAR"),
    ]
}


def take(tokens: Tokens, stack: Stack, index: int) -> tuple[int, Stack] | None:
    """The terminal as which a token is taken, and the stack after it."""
    terminal = tokens.kinds[index]
    if terminal in (_OR, _OR_BRANCH):
        if may_separate_branches(tokens, index) and (after := shift(stack, _OR_BRANCH)) is not None:
            return _OR_BRANCH, after
        terminal = _OR
    after = shift(stack, terminal)
    return None if after is None else (terminal, after)


def take_small_keyword(tokens: Tokens, stack: Stack, index: int) -> tuple[int, Stack] | None:
    """A keyword in small letters, where only the keyword fits: no reason to doubt an edit before it."""
    if tokens.kinds[index] != _IDENT:
        return None
    terminal = KEYWORDS.get(tokens.text(index).upper())
    after = shift(stack, terminal) if terminal is not None else None
    return None if terminal is None or after is None else (terminal, after)


class Repairs:
    """The edits around one error: token `error` could not follow. `stacks[i]` is the stack before token i."""

    def __init__(self, tokens: Tokens, layout: Layout, stacks: dict[int, Stack], earliest: int, error: int) -> None:
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.layout = layout
        self.stacks = stacks
        self.earliest = earliest  # what lies before has been repaired already
        self.error = error
        self.last = len(tokens.kinds) - 1

    def best(self) -> Edit | None:
        """The cheapest edit that lets the parser go on; None if there is none."""
        small = take_small_keyword(self.tokens, self.stacks[self.error], self.error)
        if small is not None:
            return Edit(Reason.MISSPELLED, self.error, 1, (Piece(small[0], self.error, self.error + 1),), 0.0)
        choice: tuple[float, int, Edit] | None = None
        for order, edit in enumerate(self._edits()):
            sure = edit.reason in (Reason.REPLACED, Reason.MISSPELLED) and edit.cost < SURE
            score = self._score(edit, 1 if sure else 2 if edit.cost < SURE else ENOUGH)
            if score is not None and (choice is None or (score, order) < choice[:2]):
                choice = (score, order, edit)
        if choice is not None and choice[0] < 3.5:
            return choice[2]
        limit = choice[0] if choice is not None else float("inf")
        skipping = self._best_skip(limit)
        if skipping is not None:
            return skipping
        return choice[2] if choice is not None else None

    # --- how far an edit leads ---------------------------------------------------------------------------------------

    def _reach(self, edit: Edit, until: int) -> int | None:
        """The first token that is not understood after the edit, or `until`; None if the edit itself does not fit."""
        stack: Stack | None = self.stacks[edit.at]
        for piece in edit.pieces:
            assert stack is not None
            stack = shift(stack, piece.terminal)
            if stack is None:
                return None
        assert stack is not None
        index = edit.at + edit.removed
        # A likely slip soon after does not speak against an edit that only closes something.
        forgiving = not edit.removed and not any(piece.terminal in LEADING for piece in edit.pieces)
        forgiven = 0
        while index < until:
            taken = take(self.tokens, stack, index) or take_small_keyword(self.tokens, stack, index)
            if taken is None and not forgiven and index > self.error and forgiving:
                taken = self._take_confused(stack, index)
                forgiven = 8
            if taken is None:
                return index
            if index == self.last:
                return until
            stack = taken[1]
            index += 1
        return until - forgiven

    def _take_confused(self, stack: Stack, index: int) -> tuple[int, Stack] | None:
        for found, meant in _CONFUSED:
            if found == self.kinds[index] and (after := shift(stack, meant)) is not None:
                return meant, after
        return None

    def _score(self, edit: Edit, enough: int) -> float | None:
        target = max(self.error, edit.at + edit.removed)
        until = target + LOOK_AHEAD
        reached = self._reach(edit, until)
        if reached is None or reached < target + enough:
            return None
        return edit.cost + (until - reached) * 0.15

    # --- edits of a token or two -------------------------------------------------------------------------------------

    def _edits(self) -> Iterator[Edit]:
        error = self.error
        yield from self._sloppy()
        yield from self._by_layout()
        yield from self._misspelled()
        yield from self._foreign()
        yield from self._or_between_branches()
        yield from self._section_before()
        for at in range(error, max(error - 3, self.earliest) - 1, -1):
            back = (error - at) * 0.3
            yield from self._written(at, back)
            if at >= error - 1 and at < self.last:
                doubled = at > 0 and self.kinds[at] == self.kinds[at - 1] and self.kinds[at] != _END
                cost = 0.8 if doubled else _REMOVING[self.kinds[at]] + self._line_start(at)
                yield Edit(Reason.SURPLUS, at, 1, (), cost + back)
                yield from self._replaced(at, back)
            if at >= error - 2 and at + 1 < self.last:
                swapped = (Piece(self.kinds[at + 1], at + 1, at + 2), Piece(self.kinds[at], at, at + 1))
                yield Edit(Reason.SWAPPED, at, 2, swapped, 1.7 if at == error - 1 else 2.0)

    def _line_start(self, at: int) -> float:
        """The first word of a line is rarely what is wrong."""
        return 0.4 if at in self.layout.column_of_line_start else 0.0

    def _sloppy(self) -> Iterator[Edit]:
        """What is accepted with a warning."""
        error, kinds = self.error, self.kinds
        stack = self.stacks[error]
        if kinds[error] in _DECLARATION_STARTS:
            after = shift(stack, _SEMICOLON)
            if after is not None and ends_declaration(after) and self._section_of_error() == NUMBER["CONST"]:
                yield Edit(Reason.NO_SEMICOLON, error, 0, (Piece(_SEMICOLON),), 0.1)
        if error and kinds[error - 1] == _END:
            if kinds[error] in (_SEMICOLON, _DOT):
                yield Edit(Reason.NO_NAME, error, 0, (Piece(_IDENT),), 0.1)
            elif kinds[error] == _END_OF_TEXT:
                yield Edit(Reason.NO_NAME, error, 0, (Piece(_IDENT), Piece(_DOT)), 0.1)
        if kinds[error] == _END_OF_TEXT:
            yield Edit(Reason.NO_STOP, error, 0, (Piece(_DOT),), 0.1)

    def _section_of_error(self) -> int | None:
        """The keyword of the section whose declaration ends before the error."""
        sections = (NUMBER[n] for n in ("CONST", "TYPE", "VAR", "PORT"))
        known = set(sections)
        return next((self.kinds[at] for at in range(self.error - 1, -1, -1) if self.kinds[at] in known), None)

    def _by_layout(self) -> Iterator[Edit]:
        first = self.earliest
        for rank, guess in enumerate(self.layout.guesses(self._outside(), self.error)[:12]):
            if guess.at < first or guess.at > self.error:
                continue
            cost = 0.5 + 0.05 * rank
            if guess.removed:
                yield Edit(Reason.LAYOUT, guess.at, guess.removed, (), cost + 1)
                continue
            pieces = tuple(Piece(terminal) for terminal in guess.terminals)
            yield Edit(Reason.LAYOUT, guess.at, 0, pieces, cost)
            yield Edit(Reason.LAYOUT, guess.at, 0, (*pieces, Piece(_SEMICOLON)), cost + 0.02)

    def _outside(self) -> int:
        """The last PROCESS or PROPERTY before the error that starts at the left, or the first token."""
        starts = self.layout.column_of_line_start
        for index in range(self.error - 1, -1, -1):
            if (
                self.kinds[index] in (NUMBER["PROCESS"], NUMBER["PROCEDURE"], NUMBER["PROPERTY"])
                and starts.get(index) == 0
            ):
                return index
        return 0

    def _misspelled(self) -> Iterator[Edit]:
        count = 0
        for at in range(min(self.error, self.last), max(self.earliest, self.error - 2000) - 1, -1):
            if self.kinds[at] != _IDENT:
                continue
            for terminal, slips in likely_keywords(self.tokens.text(at)).items():
                distance = self.error - at
                far = 0.1 * min(distance, 3) if distance < 8 else 0.6
                yield Edit(Reason.MISSPELLED, at, 1, (Piece(terminal, at, at + 1),), 0.3 + 0.3 * slips + far)
                count += 1
            if count > 30:
                return

    def _foreign(self) -> Iterator[Edit]:
        for at in range(max(self.error - 1, self.earliest), self.error + 1):
            start = self.tokens.starts[at]
            for name in _FOREIGN.get(self.tokens.source.text[start : start + 2], ()):
                if at + 1 < self.last and self.tokens.starts[at + 1] == start + 1:
                    yield Edit(Reason.REPLACED, at, 2, (Piece(NUMBER[name], at, at + 2),), 0.5)

    def _or_between_branches(self) -> Iterator[Edit]:
        for at in range(self.error - 1, max(self.earliest, self.error - 20) - 1, -1):
            if self.kinds[at] == _SEMICOLON:
                return
            if self.kinds[at] == _OR:
                yield Edit(Reason.REPLACED, at, 1, (Piece(NUMBER["VBAR"], at, at + 1),), 0.7)
                return

    def _section_before(self) -> Iterator[Edit]:
        """The keyword of a section may be missing before the declaration that the error is in."""
        for at in range(self.error - 3, max(self.earliest, self.error - 20) - 1, -1):
            if self.kinds[at] == _IDENT and shift(self.stacks[at], _ERROR_DECLARATION) is not None:
                for keyword in ("TYPE", "VAR", "CONST"):
                    terminal = NUMBER[keyword]
                    yield Edit(Reason.MISSING, at, 0, (Piece(terminal),), _WRITING[terminal] + 0.3)
                return

    def _written(self, at: int, back: float) -> Iterator[Edit]:
        terminals = acceptable(self.stacks[at]) - _NEVER_WRITTEN
        if _ERROR_EXPRESSION in terminals:
            terminals.discard(_IDENT)
        for terminal in terminals:
            leads = -0.3 if terminal in LEADING and at in self.layout.column_of_line_start else 0.0
            yield Edit(Reason.MISSING, at, 0, (Piece(terminal),), _WRITING[terminal] + back + leads)
        if self.kinds[at] == _IDENT and self.kinds[at - 1] != _END and _END in terminals:
            # END after a statement that has its semicolon, or before one that has none.
            yield Edit(Reason.MISSING, at, 0, (Piece(_END), Piece(_SEMICOLON)), _WRITING[_END] + back + 0.5)

    def _replaced(self, at: int, back: float) -> Iterator[Edit]:
        found = self.kinds[at]
        terminals = acceptable(self.stacks[at]) - _NEVER_WRITTEN
        whole = (at, at + 1)
        if self.kinds[at - 1] == _SEMICOLON:
            terminals.discard(_SEMICOLON)
        for terminal in terminals - {found}:
            if (found, terminal) in _CONFUSED:
                # A semicolon at the end of a line is what was meant, as a rule.
                cost = 0.8 + back + self._line_start(at + 1)
                yield Edit(Reason.REPLACED, at, 1, (Piece(terminal, *whole),), cost)
            elif terminal == _IDENT and found in KEYWORDS.values() and self.tokens.text(at).isalpha():
                yield Edit(Reason.KEYWORD_AS_NAME, at, 1, (Piece(_IDENT, *whole),), 2.2 + back + self._line_start(at))
            else:
                cost = _WRITING[terminal] + 1.3 + back
                yield Edit(Reason.REPLACED, at, 1, (Piece(terminal, *whole),), cost)

    # --- text that makes no sense ------------------------------------------------------------------------------------

    def _best_skip(self, limit: float) -> Edit | None:
        """Skip tokens, put placeholders and what closes the construct in their place."""
        error = self.error
        best: tuple[float, Edit] | None = None
        farthest = min(error + FARTHEST_SKIP, self.last)
        openings = self._openings()
        start = self._start_of_statement()
        for at in range(error, farthest + 1):
            skipped = at - error
            if best is not None and 0.25 * skipped + 1 > best[0]:
                break
            if self.kinds[at] == UNKNOWN:
                continue
            cost = 0.25 * skipped + 1
            edits = [Edit(Reason.SENSELESS, error, skipped, self._placed(p, at), cost + extra) for p, extra in openings]
            if start is not None:
                whole = (Piece(_ERROR_STATEMENT, start, at),)
                edits.append(Edit(Reason.SENSELESS, start, at - start, whole, cost - 0.1))
            for edit in edits:
                reached = self._reach(edit, at + LOOK_AHEAD)
                if reached is None or reached < min(at + 2, self.last + 1):
                    continue
                score = edit.cost + (at + LOOK_AHEAD - reached) * 0.4
                if score < limit and (best is None or score < best[0]):
                    best = (score, edit)
        return best[1] if best is not None else None

    def _placed(self, terminals: tuple[int, ...], until: int) -> tuple[Piece, ...]:
        """A placeholder stands for the text that is skipped."""
        return tuple(Piece(t, self.error, until) if t in _PLACEHOLDERS else Piece(t) for t in terminals)

    def _start_of_statement(self) -> int | None:
        """Where the statement begins that the error is in, if it is near: it had better go as a whole."""
        for at in range(self.error - 1, max(self.earliest, self.error - 15) - 1, -1):
            if shift(self.stacks[at], _ERROR_STATEMENT) is not None:
                return at
        return None

    def _openings(self) -> list[tuple[tuple[int, ...], float]]:
        """Terminals that may stand between what was understood and where it goes on, with their costs."""
        stack = self.stacks[self.error]
        found: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
        starts: list[tuple[tuple[int, ...], Stack]] = [((), stack)]
        for terminal in (*_PLACEHOLDERS, _IDENT, _SEMICOLON):
            after = shift(stack, terminal)
            if after is not None:
                starts.append(((terminal,), after))
        for start, after in starts:
            pieces = start
            if start:
                found.append((pieces, 0.3))
            for _ in range(LONGEST_CONTINUATION):
                if shift(after, _END_OF_TEXT) is not None:
                    break
                terminal_taken, after = next_step(after)
                if terminal_taken is not None:
                    pieces = (*pieces, terminal_taken)
                    found.append((pieces, 0.5 * len(pieces)))
        return sorted(set(found), key=lambda f: f[1])

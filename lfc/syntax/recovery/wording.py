"""Says what is wrong with the syntax: one report for each edit."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.syntax.grammar.lexer import Tokens
from lfc.syntax.grammar.tables import END_OF_TEXT
from lfc.syntax.grammar.terminals import ENGLISH, KEYWORDS, NUMBER, SPELLING, UNKNOWN
from lfc.syntax.recovery.blocks import OUTER_BLOCKS, STATEMENT_BLOCKS
from lfc.syntax.recovery.idioms import idiom
from lfc.syntax.recovery.repairs import LEADING, Edit, Reason
from lfc.syntax.recovery.stack import Stack, acceptable, ends_declaration, shift


def _numbers(names: str) -> set[int]:
    return {NUMBER[n] for n in names.split()}


_END, _IDENT, _UNTIL, _REPEAT, _ERROR_STATEMENT = (
    NUMBER[n] for n in ("END", "IDENT", "UNTIL", "REPEAT", "ERROR_STATEMENT")
)
# If the placeholder can come, it stands for all these.
_GROUPS = [
    ("ERROR_DECLARATION", _numbers("CONST TYPE VAR PORT ASSUME PROCESS PROCEDURE PROPERTY")),
    (
        "ERROR_STATEMENT",
        _numbers("CREATE IF CASE WHILE REPEAT FOR LOOP SELECT CHOICE EXIT RETURN RESCHEDULE ACCEPT NOMOVE IDENT"),
    ),
    ("ERROR_TYPE", _numbers("ARRAY RECORD LPAR LSQB IDENT")),
    (
        "ERROR_EXPRESSION",
        _numbers(
            "IDENT INTEGER DECIMAL CHARACTER STRING LPAR LBRACE TILDE MAX PLUS MINUS NEXT ALWAYS EVENTUALLY UNTIL"
            " WEAKUNTIL RELEASE IMPLIES IFF"
        ),
    ),
]
_OPERATORS = _numbers(
    "STAR SLASH DIV MOD AMPERSAND PLUS MINUS OR EQUAL NOT_EQUAL LESSTHAN LESS_EQUAL MORETHAN GREATER_EQUAL IN"
    " UNTIL WEAKUNTIL RELEASE IMPLIES IFF LPAR LSQB DOT RANGE"
)
_RARE = _numbers("WEAK STRONG LIVE")  # not what was meant, where something else can come
_SIGN_OF_MORE = _numbers("BEGIN END PROCESS PROCEDURE MODULE IF WHILE LOOP SELECT VAR TYPE CONST")
MOST_NAMED = 4  # alternatives in an error message


class Wording:
    def __init__(self, tokens: Tokens, diagnostics: Diagnostics) -> None:
        self.tokens = tokens
        self.diagnostics = diagnostics

    def report(self, edit: Edit, error: int, stack: Stack, out: Tokens) -> None:
        """`stack` and `out` are what was understood before the edit."""
        known = idiom(self.tokens, edit, error, stack)
        if known is not None:
            span = self.tokens.span(known.at)
            fix = None if known.write is None else Fix(span, known.write, f"write `{known.write}`")
            self.diagnostics.report(known.code, span, known.message, fix=fix)
            return
        match edit.reason:
            case Reason.MISSING:
                self._missing(edit, stack, out)
            case Reason.LAYOUT:
                if edit.removed:
                    self._surplus(edit, stack)
                else:
                    self._missing(edit, stack, out)
            case Reason.SURPLUS:
                self._surplus(edit, stack)
            case Reason.REPLACED:
                self._replaced(edit, stack)
            case Reason.MISSPELLED:
                self._misspelled(edit)
            case Reason.KEYWORD_AS_NAME:
                word = self.tokens.text(edit.at)
                span = self.tokens.span(edit.at)
                self.diagnostics.report("LF0203", span, f"`{word}` is a keyword and cannot be a name")
            case Reason.SWAPPED:
                first, second = self.tokens.text(edit.at), self.tokens.text(edit.at + 1)
                span = self.tokens.span(edit.at).to(self.tokens.span(edit.at + 1))
                fix = Fix(span, f"{second} {first}", "swap them")
                message = f"`{_short(first)}` and `{_short(second)}` are in the wrong order"
                self.diagnostics.report("LF0203", span, message, fix=fix)
            case Reason.SENSELESS:
                self._senseless(edit, error, stack, out)
            case Reason.NO_SEMICOLON:
                place = self._end_before(edit.at)
                message = "the last constant of a section ends with a semicolon, too"
                self.diagnostics.report("LF0211", place, message, fix=Fix(place, ";", "write `;`"))
            case Reason.NO_NAME:
                self._no_name(edit, out)
                if len(edit.pieces) > 1:
                    self._no_stop(edit)
            case Reason.NO_STOP:
                self._no_stop(edit)

    # --- what is missing ---------------------------------------------------------------------------------------------

    def _missing(self, edit: Edit, stack: Stack, out: Tokens) -> None:
        terminals = [piece.terminal for piece in edit.pieces]
        starts = terminals[0] in LEADING or (terminals[0] == _IDENT and shift(stack, _ERROR_STATEMENT) is not None)
        place = self._place_of_missing(edit.at, starts)
        written = " ".join(SPELLING[t] for t in terminals).replace(" ;", ";")
        fix = self._insertion(place, written) if all(SPELLING[t] for t in terminals) else None
        if terminals[0] == _END:
            self._end_missing(place, out, fix)
            return
        if edit.reason is Reason.LAYOUT and terminals[0] in STATEMENT_BLOCKS:
            message = f"{ENGLISH[terminals[0]]} seems to be missing: an `END` follows for which no block is open"
            self.diagnostics.report("LF0201", place, message, fix=fix)
            return
        verb = "is" if len(terminals) == 1 else "are"
        self.diagnostics.report("LF0201", place, f"{_and(terminals)} {verb} missing", fix=fix)

    def _place_of_missing(self, at: int, belongs_to_next: bool) -> Span:
        if at == 0 or (belongs_to_next and self.tokens.starts_line(at)):
            start = self.tokens.starts[at]
            return Span(self.tokens.source, start, start)
        return self._end_before(at)

    def _end_before(self, at: int) -> Span:
        end = self.tokens.ends[at - 1] if at else 0
        return Span(self.tokens.source, end, end)

    def _insertion(self, place: Span, written: str) -> Fix:
        text = self.tokens.source.text
        before = text[place.start - 1 : place.start]
        after = text[place.start : place.start + 1]
        tight = before in ("", "(", "[", "{") or before.isspace() or written[0] in ";,:.()[]}"
        left = "" if tight and written != ":=" else " "
        right = " " if after and (after.isalnum() or after == "_") else ""
        return Fix(place, left + written + right, f"write `{written}`")

    def _end_missing(self, place: Span, out: Tokens, fix: Fix | None) -> None:
        block = innermost_block(out)
        if block is None:
            self.diagnostics.report("LF0205", place, "`END` is missing", fix=fix)
            return
        keyword = SPELLING[out.kinds[block]]
        if out.kinds[block] in OUTER_BLOCKS:
            name = out.text(block + 1)
            message = f"`END {name}` is missing: it closes the {keyword.lower()}"
        else:
            message = f"`END` is missing: it closes the `{keyword}`"
        notes = [Note(f"the `{keyword}` is here", out.span(block))]
        if out.kinds[block] == NUMBER["IF"] and out.kinds[block - 1] == NUMBER["ELSE"]:
            notes.append(Note("`ELSE IF` opens a second IF; `ELSIF` goes on with the first"))
        self.diagnostics.report("LF0205", place, message, *notes, fix=fix)

    # --- what is too much, or something else -------------------------------------------------------------------------

    def _surplus(self, edit: Edit, stack: Stack) -> None:
        found = self._found(edit.at)
        span = self.tokens.span(edit.at)
        expected = expected_in_english(stack)
        notes = [Note(f"expected here: {expected}")] if expected else []
        fix = Fix(span, "", f"remove {found}")
        self.diagnostics.report("LF0202", span, f"{found} does not belong here", *notes, fix=fix)

    def _replaced(self, edit: Edit, stack: Stack) -> None:
        terminal = edit.pieces[0].terminal
        after_type = shift(stack, NUMBER["SEMICOLON"])
        if terminal == NUMBER["BECOMES"] and after_type is not None and ends_declaration(after_type):
            return  # that there is a value at all will be said
        last = edit.at + edit.removed - 1
        span = self.tokens.span(edit.at).to(self.tokens.span(last))
        spelled = SPELLING[terminal]
        fix = Fix(span, spelled, f"write `{spelled}`") if spelled else None
        found = self._found(edit.at) if last == edit.at else f"`{self.tokens.source.text[span.start : span.end]}`"
        message = f"expected {ENGLISH[terminal]}, found {found}"
        self.diagnostics.report("LF0203", span, message, fix=fix)

    def _misspelled(self, edit: Edit) -> None:
        keyword = SPELLING[edit.pieces[0].terminal]
        word = self.tokens.text(edit.at)
        span = self.tokens.span(edit.at)
        message = f"`{word}` is no keyword: did you mean `{keyword}`?"
        if word.upper() == keyword:
            message = f"keywords are written in capitals: `{keyword}`"
        self.diagnostics.report("LF0204", span, message, fix=Fix(span, keyword, f"write `{keyword}`"))

    def _senseless(self, edit: Edit, error: int, stack: Stack, out: Tokens) -> None:
        """Text is skipped, or several things are missing."""
        terminals = [piece.terminal for piece in edit.pieces]
        if error == 0 and len(self.tokens.kinds) == 1:
            self.diagnostics.report("LF0201", self.tokens.span(0), "there is no module in this file")
            return
        if edit.removed == 0 and terminals:
            if terminals[0] == _END:
                self._end_missing(self._end_before(error), out, None)
                return
            self._missing(Edit(Reason.MISSING, error, 0, edit.pieces, 0.0), stack, out)
            return
        notes = []
        last = edit.at + edit.removed - 1
        if last > error:
            line = self.tokens.span(last).line
            if line > self.tokens.span(error).line:
                notes.append(Note(f"the text up to line {line} is skipped", self.tokens.span(last)))
        expected = expected_in_english(stack)
        found = self._found(error)
        message = f"expected {expected}, found {found}" if expected else f"{found} makes no sense here"
        self.diagnostics.report("LF0206", self.tokens.span(error), message, *notes)

    def _found(self, index: int) -> str:
        kind = self.tokens.kinds[index]
        if kind == UNKNOWN or SPELLING[kind]:
            return f"`{_short(self.tokens.text(index))}`"
        if kind == NUMBER[END_OF_TEXT]:
            return ENGLISH[kind]
        what = {
            "IDENT": "the name",
            "INTEGER": "the number",
            "DECIMAL": "the number",
            "CHARACTER": "the character",
            "STRING": "the string",
        }
        names = {NUMBER[name]: english for name, english in what.items()}
        return f"{names.get(kind, '')} `{_short(self.tokens.text(index))}`".strip()

    # --- what is accepted with a warning, and limits -----------------------------------------------------------------

    def _no_name(self, edit: Edit, out: Tokens) -> None:
        block = innermost_block(out, closed_last=True)
        name = out.text(block + 1) if block is not None else ""
        place = self._end_before(edit.at)
        what = SPELLING[out.kinds[block]].lower() if block is not None else "module"
        message = f"a {what} is closed with its name: `END {name}`".rstrip()
        self.diagnostics.report("LF0212", place, message, fix=Fix(place, f" {name}", f"write `END {name}`"))

    def _no_stop(self, edit: Edit) -> None:
        place = self._end_before(edit.at)
        message = "a module ends with a full stop"
        self.diagnostics.report("LF0214", place, message, fix=Fix(place, ".", "write `.`"))

    def text_after_end(self, index: int) -> None:
        tokens = self.tokens
        last = len(tokens.kinds) - 2
        span = Span(tokens.source, tokens.starts[index], tokens.ends[last])
        if any(kind in _SIGN_OF_MORE for kind in tokens.kinds[index:]):
            end = tokens.span(index - 2).to(tokens.span(index - 1)) if index > 1 else tokens.span(0)
            message = "the module has ended before this: is an `END` too many, or a keyword like `LOOP` missing?"
            self.diagnostics.report("LF0202", tokens.span(index), message, Note("it ends here", end))
        else:
            self.diagnostics.report("LF0215", span, "text after the end of the module is ignored")

    def nested_too_deeply(self, index: int) -> None:
        message = "this is nested too deeply, and the text from here on is not looked at"
        self.diagnostics.report("LF0207", self.tokens.span(index), message)


def innermost_block(out: Tokens, closed_last: bool = False) -> int | None:
    """The token that opens the innermost open block of well-nested tokens; the one that the last END closes."""
    open_now: list[int] = []
    closed: int | None = None
    for index, kind in enumerate(out.kinds):
        if kind in STATEMENT_BLOCKS or kind in OUTER_BLOCKS:
            open_now.append(index)
        elif kind == _END or kind == NUMBER["EXTERNAL"]:
            closed = open_now.pop() if open_now else None
        elif kind == _UNTIL and open_now and out.kinds[open_now[-1]] == _REPEAT:
            open_now.pop()
        elif kind == NUMBER["EQUAL"] and index > 1 and out.kinds[index - 2] == NUMBER["PROPERTY"]:
            open_now.pop()
    if closed_last:
        return closed
    return open_now[-1] if open_now else None


def expected_in_english(stack: Stack) -> str:
    """What can come next, when that is a short list; else nothing."""
    terminals = acceptable(stack) - {NUMBER["EXTERNAL"], NUMBER["TAG_BRACE"]}
    if NUMBER["SEMICOLON"] in terminals:
        terminals -= {NUMBER["LBRACE"]}  # of requirements, which few name
    named: list[str] = []
    for placeholder, members in _GROUPS:
        if NUMBER[placeholder] in terminals:
            terminals -= members | {NUMBER[placeholder]}
            named.append(ENGLISH[NUMBER[placeholder]])
    if terminals - _RARE:
        terminals -= _RARE
    if len(terminals & _OPERATORS) > 4:
        terminals -= _OPERATORS
        named.append("an operator")
    if NUMBER["OR_BRANCH"] in terminals and NUMBER["VBAR"] in terminals:
        terminals -= {NUMBER["OR_BRANCH"]}
    order = sorted(terminals, key=lambda t: (t in KEYWORDS.values(), ENGLISH[t]))
    named += [ENGLISH[t] for t in order]
    if len(named) > MOST_NAMED:
        return ""
    return " or ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else "".join(named)


def _and(terminals: list[int]) -> str:
    names = [ENGLISH[t] for t in terminals]
    shown = [*names[:5], "more"] if len(names) > 6 else names
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def _short(text: str) -> str:
    line = text.split("\n", 1)[0]
    return line if len(line) <= 30 and line == text else line[:27] + "..."

"""Cuts text into tokens.

Tokens lie in parallel lists (kind, start, end), which is what the parser's loop wants; the last one is the end of the
text. What is lexically wrong is reported here and leaves a token that the parser can go on with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.syntax.grammar.tables import END_OF_TEXT
from lfc.syntax.grammar.terminals import KEYWORDS, NUMBER, OF_MONITORS, OPERATORS, UNKNOWN

REPORTED_AT_MOST = 20  # lexical errors of one file

_TOKEN = re.compile(
    r"""\s*+(?:
      ([A-Za-z_]\w*)                                                              # 1 word
    | (:=?|\.\.?|<(?:->|=|>)?|>=?|->?|\[\]?|\((?!\*)|\*(?!\))|[;,)\]{}=\#+/&~|!?])  # 2 operator, punctuation
    | ([0-9]\w*(?:\.[0-9]\w*)?)                                                   # 3 number
    | ("[^"\n]*"|'''|'[^'\n]*')                                                   # 4 string, character
    | (\(\*(?:[^*(]++|\*(?!\))|\((?!\*))*+\*\))                                   # 5 comment without a comment inside
    | (\(\*)                                                                      # 6 any other comment
    | (["'][^\n]*)                                                                # 7 string that does not end
    | (\*\))                                                                      # 8 end of no comment
    | ([^\s]))                                                                    # 9 anything else
    """,
    re.VERBOSE | re.ASCII,
)
_BLANKS = " \t\n\r\f\v"  # what `\s` above stands for
_COMMENT_BRACKET = re.compile(r"\(\*|\*\)")
_DECIMAL = re.compile(r"[0-9]+")
_WITH_POINT = re.compile(r"[0-9]+\.[0-9]+")
MOST_DIGITS = 20  # of a number with a decimal point
_HEXADECIMAL = re.compile(r"[0-9][0-9A-F]*[HX]")
LARGEST_NUMBER = 0xFFFFFFFF  # of UINT32, the widest type

_IDENT, _INTEGER, _DECIMAL_NUMBER, _CHARACTER, _STRING = (
    NUMBER[n] for n in ("IDENT", "INTEGER", "DECIMAL", "CHARACTER", "STRING")
)


@dataclass(slots=True)
class Tokens:
    source: Source
    kinds: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    reported: set[int] = field(default_factory=set)  # tokens that come with a lexical error: no syntax error on top

    def text(self, index: int) -> str:
        return self.source.text[self.starts[index] : self.ends[index]]

    def span(self, index: int) -> Span:
        return Span(self.source, self.starts[index], self.ends[index])

    def starts_line(self, index: int) -> bool:
        """Whether the token is the first word of its line (a comment is no word)."""
        return index == 0 or "\n" in self.source.text[self.ends[index - 1] : self.starts[index]]


def cut_into_tokens(source: Source, diagnostics: Diagnostics) -> Tokens:
    tokens = Tokens(source)
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    text = source.text
    last = len(text.rstrip(_BLANKS))  # blanks that nothing follows would be tried again from each of them on
    keyword = KEYWORDS.get
    report = _Report(source, diagnostics)
    position = 0
    while position >= 0:
        restart = -1
        for match in _TOKEN.finditer(text, position, last):
            group = match.lastindex
            if group == 1:
                kind = keyword(match[1], _IDENT)
            elif group == 2:
                kind = OPERATORS[match[2]]
            elif group == 5:
                comment: tuple[int, int] = match.span(5)
                tokens.comments.append(comment)
                continue
            else:
                assert group is not None
                start, end = match.span(group)
                if group == 6:
                    restart = end = _end_of_comment(text, start, report)
                    tokens.comments.append((start, end))
                    if report.comment_is_open:
                        tokens.reported.add(len(kinds))  # the end of the text comes next
                    break
                if group == 9 and kinds and ends[-1] == start and kinds[-1] == UNKNOWN:
                    ends[-1] = end  # a run of such characters is one error
                    continue
                kind, end = _irregular(group, match[group], start, report)
                if kind == UNKNOWN or report.last_start == start:
                    tokens.reported.add(len(kinds))
                kinds.append(kind)
                starts.append(start)
                ends.append(end)
                if end != match.end():
                    restart = end
                    break
                continue
            kinds.append(kind)
            starts.append(match.start(group))
            ends.append(match.end())
        position = restart
    report.unknown_characters(tokens)
    kinds.append(NUMBER[END_OF_TEXT])
    starts.append(len(text))
    ends.append(len(text))
    _mark_words_of_monitors(tokens)
    _mark_branches(tokens)
    _mark_tags(tokens)
    return tokens


class _Report:
    """Lexical errors, up to a limit: beyond it a file is no LF text."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.count = 0
        self.last_start = -1
        self.comment_is_open = False

    def error(self, code: str, start: int, end: int, message: str, *notes: Note, write: str | None = None) -> None:
        self.last_start = start
        self.count += 1
        if self.count > REPORTED_AT_MOST:
            return
        span = Span(self.source, start, end)
        fix = Fix(span, write, f"write `{write}`") if write is not None else None
        self.diagnostics.report(code, span, message, *notes, fix=fix)

    def unknown_characters(self, tokens: Tokens) -> None:
        for index, kind in enumerate(tokens.kinds):
            if kind == UNKNOWN and tokens.text(index) != "*)":
                characters = tokens.text(index)
                shown = " ".join(_shown(c) for c in characters[:8]) + (" ..." if len(characters) > 8 else "")
                what = "this character has" if len(characters) == 1 else "these characters have"
                around = self.source.text[tokens.starts[index] - 1 : tokens.ends[index] + 1]
                write = None if characters != "%" else "MOD" if around == " % " else " MOD "
                message = f"{what} no meaning in LF: {shown}"
                self.error("LF0101", tokens.starts[index], tokens.ends[index], message, write=write)


def _shown(character: str) -> str:
    if character == "\ufffd":
        return "bytes that are not UTF-8"
    return f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"


def _end_of_comment(text: str, start: int, report: _Report) -> int:
    """Comments nest: where the one that starts here ends."""
    opened: list[int] = []
    for bracket in _COMMENT_BRACKET.finditer(text, start):
        if bracket[0] == "(*":
            opened.append(bracket.start())
        else:
            opened.pop()
            if not opened:
                return bracket.end()
    report.comment_is_open = True
    notes = []
    if len(opened) > 1:
        inner = Span(report.source, opened[-1], opened[-1] + 2)
        notes.append(Note("comments nest, and the one that opens here is not closed either", inner))
    report.error("LF0102", start, start + 2, "this comment is never closed: `*)` is missing", *notes)
    return len(text)


def _irregular(group: int, word: str, start: int, report: _Report) -> tuple[int, int]:
    """The kind and the end of a number, a string or a character that does not belong."""
    end = start + len(word)
    if group == 3:
        return _number(word, start, report)
    if group == 4:
        if word[0] == '"' or len(word) != 3:
            return _STRING, end
        if not word.isascii():
            report.error(
                "LF0105", start, end, f"{word} is not in ASCII: a character is one byte, written as `0E9X` for code 233"
            )
        return _CHARACTER, end
    if group == 7:
        # The quote was probably forgotten before the brackets and the punctuation at the end of the line.
        content = re.sub(r"(?:[\s;,)\]|]|\b(?:END|THEN|DO|OF)\b|\(\*.*)*$", "", word) if len(word) < 400 else word
        end = start + max(1, len(content))
        quote = word[0]
        report.error("LF0103", start, end, f"this string has no closing {quote} on its line", write=content + quote)
        return _STRING, end
    if group == 8:
        report.error("LF0106", start, end, "this closes no comment: there is no `(*` before it")
    return UNKNOWN, end


def _number(word: str, start: int, report: _Report) -> tuple[int, int]:
    end = start + len(word)
    if _DECIMAL.fullmatch(word) or _HEXADECIMAL.fullmatch(word):
        digits = word.lstrip("0")
        is_character = word.endswith("X")
        if is_character and (len(digits) > 3 or int("0" + word[:-1], 16) > 0xFF):
            report.error("LF0105", start, end, f"`{_short(word)}` is no character: the largest is `0FFX`")
        elif len(digits) > 10 or number_value(word) > LARGEST_NUMBER:
            report.error("LF0107", start, end, f"`{_short(word)}` fits no integer type: 4294967295 is the largest")
        return (_CHARACTER if is_character else _INTEGER), end
    if "." in word:
        if not _WITH_POINT.fullmatch(word):
            why = "decimal digits stand on both sides of its point, and nothing else"
            report.error("LF0104", start, end, f"`{_short(word)}` is no number: {why}")
            return _INTEGER, end
        if len(word) > MOST_DIGITS + 1:
            report.error("LF0107", start, end, f"`{_short(word)}` has more than {MOST_DIGITS} digits")
            return _INTEGER, end
        return _DECIMAL_NUMBER, end
    upper = word.upper()
    write: str | None = None
    if re.fullmatch(r"0X[0-9A-F]+", upper):
        digits = upper[2:].lstrip("0") or "0"
        write = ("0" if digits[0] > "9" else "") + digits + "H"
    elif _HEXADECIMAL.fullmatch(upper):
        write = upper
    elif _HEXADECIMAL.fullmatch(upper + "H"):
        write = upper + "H"
    hint = f"; a hexadecimal number is written `{write}`" if write is not None and len(write) < 20 else ""
    report.error("LF0104", start, end, f"`{_short(word)}` is no number{hint}", write=write if hint else None)
    return _INTEGER, end


def _short(word: str) -> str:
    return word if len(word) <= 24 else word[:20] + "..."


def number_value(word: str) -> int:
    """The value of a well-formed number or of a character's code."""
    if word[-1] in "HX":
        return int(word[:-1], 16)
    return int(word.lstrip("0") or "0")  # Python converts no more than 4300 decimal digits, zeros in front included


# --- words of monitors -------------------------------------------------------------------------------------------


def _mark_words_of_monitors(tokens: Tokens) -> None:
    """MONITOR is a keyword where a text begins, and ON in such a text; elsewhere they are names."""
    if tokens.kinds[0] != _IDENT or tokens.text(0) != "MONITOR":
        return
    tokens.kinds[0] = OF_MONITORS["MONITOR"]
    for index, kind in enumerate(tokens.kinds):
        if kind == _IDENT and tokens.text(index) == "ON":
            tokens.kinds[index] = OF_MONITORS["ON"]


# --- requirements behind an assertion ----------------------------------------------------------------------------

_LBRACE, _RPAR, _TAG_BRACE = (NUMBER[n] for n in ("LBRACE", "RPAR", "TAG_BRACE"))


def _mark_tags(tokens: Tokens) -> None:
    """Turn the brace of `ASSERT(...) {REQ: ...}` into TAG_BRACE: so no brace of another language is taken for one."""
    kinds = tokens.kinds
    if _LBRACE not in kinds:
        return
    for index in range(1, len(kinds) - 1):
        if kinds[index] == _LBRACE and kinds[index - 1] == _RPAR and kinds[index + 1] == _IDENT:
            if tokens.text(index + 1) == "REQ":
                kinds[index] = _TAG_BRACE


# --- OR in a CHOICE ----------------------------------------------------------------------------------------------

_CHOICE, _OR, _OR_BRANCH, _SEMICOLON, _END, _REPEAT, _UNTIL = (
    NUMBER[n] for n in ("CHOICE", "OR", "OR_BRANCH", "SEMICOLON", "END", "REPEAT", "UNTIL")
)
_OPENERS = {NUMBER[n] for n in ("IF", "CASE", "WHILE", "REPEAT", "FOR", "LOOP", "SELECT", "CHOICE", "RECORD")}
_OUTER = {NUMBER[n] for n in ("MODULE", "PROCESS", "PROCEDURE", "PROPERTY", "ON")}
_OPEN_BRACKETS = {NUMBER[n] for n in ("LPAR", "LSQB", "LBRACE")}
_CLOSE_BRACKETS = {NUMBER[n] for n in ("RPAR", "RSQB", "RBRACE")}
_INTERESTING = _OPENERS | _OUTER | _OPEN_BRACKETS | _CLOSE_BRACKETS | {_OR, _END, _UNTIL}


def may_separate_branches(tokens: Tokens, index: int) -> bool:
    """Whether an OR stands where it would separate branches, were it directly inside a CHOICE."""
    return index > 0 and (tokens.kinds[index - 1] == _SEMICOLON or tokens.starts_line(index))


def _mark_branches(tokens: Tokens) -> None:
    """Turn each OR that separates branches of a CHOICE into OR_BRANCH."""
    kinds = tokens.kinds
    if _CHOICE not in kinds or _OR not in kinds:
        return
    open_now: list[int] = []
    for index, kind in enumerate(kinds):
        if kind not in _INTERESTING:
            continue
        if kind == _OR:
            if open_now and open_now[-1] == _CHOICE and may_separate_branches(tokens, index):
                kinds[index] = _OR_BRANCH
        elif kind in _OPENERS or kind in _OPEN_BRACKETS:
            open_now.append(kind)
        elif kind in _CLOSE_BRACKETS:
            if open_now and open_now[-1] in _OPEN_BRACKETS:
                open_now.pop()
        elif kind in _OUTER:
            open_now.clear()
        elif kind == _END:
            while open_now and open_now.pop() in _OPEN_BRACKETS:
                pass
        elif open_now and open_now[-1] == _REPEAT:
            open_now.pop()

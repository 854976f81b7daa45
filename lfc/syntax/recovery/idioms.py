"""Mistakes that deserve words of their own: habits from other languages, and what is special in LF."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.syntax.grammar.lexer import Tokens
from lfc.syntax.grammar.terminals import NUMBER
from lfc.syntax.recovery.repairs import Edit, Reason
from lfc.syntax.recovery.stack import Stack, shift


@dataclass(frozen=True, slots=True)
class Idiom:
    code: str
    at: int  # the token to point to
    message: str
    write: str | None = None  # in its place


def _numbers(names: str) -> set[int]:
    return {NUMBER[n] for n in names.split()}


_RELATIONS = _numbers("EQUAL NOT_EQUAL LESSTHAN LESS_EQUAL MORETHAN GREATER_EQUAL IN")
_JOINING = _numbers("AMPERSAND OR")
# Operators that apply to what follows, and those that bind tighter, so that they cannot take such an operand.
_PREFIXES = _numbers("PLUS MINUS ALWAYS EVENTUALLY NEXT")
_TEMPORAL = _numbers("ALWAYS EVENTUALLY NEXT IMPLIES IFF WEAKUNTIL RELEASE")
_MEANT_OTHERWISE = {"<>", "[]"}  # signs that mean something else in other languages
_INSTEAD = {
    "IMPLIES": ": here write `~a OR b`",
    "->": ", where it is IMPLIES: here write `~a OR b`, and a field is `a.b`",
    "IFF": ": here write `a = b`",
    "<->": ", where it is IFF: here write `a = b`",
}
_BINDS_TIGHTER = _RELATIONS | _JOINING | _numbers("STAR SLASH DIV MOD PLUS MINUS TILDE")
_OPENING, _CLOSING = _numbers("LPAR LSQB LBRACE TAG_BRACE"), _numbers("RPAR RSQB RBRACE")
_OPERANDS = _numbers("IDENT INTEGER DECIMAL CHARACTER STRING DOT STAR SLASH DIV MOD PLUS MINUS TILDE") | _JOINING
_COMMUNICATION, _AFTER_CHANNEL = _numbers("BANG QMARK"), _numbers("OF IDENT")
_FOLLOWS = (Reason.MISSING, Reason.SURPLUS)
_WITH_ARGUMENTS = {"ASSERT", "NEW", "INC", "DEC", "INCL", "EXCL"}
_TYPES = {"INT", "CHAR", "BOOL", "BOOLEAN", "INTEGER", "STRING", "FLOAT", "DOUBLE", "BYTE", "LONG", "UNSIGNED", "UINT8"}
_CHANNELS = {"CHAN", "CHANNEL"}
_SECTIONS = _numbers("CONST TYPE VAR PORT")
_STARTING = {"go", "spawn", "start", "fork"}
_OTHERWISE = {"DEFAULT", "OTHERWISE", "OTHERS"}
_END_OF_CLAUSES = _numbers("ELSE END")
_STEPS = {"+=": "INC(x, n)", "-=": "DEC(x, n)", "++": "INC(x)", "--": "DEC(x)"}


def idiom(tokens: Tokens, edit: Edit, error: int, stack: Stack) -> Idiom | None:
    """What to say instead of the usual, if the mistake is a known one. `stack` is the one before the edit."""
    return (
        _word_of_another_language(tokens, edit, error, stack)
        or _declared_as_elsewhere(tokens, error, stack)
        or _special_in_lf(tokens, edit, error, stack)
    )


def _word_of_another_language(tokens: Tokens, edit: Edit, error: int, stack: Stack) -> Idiom | None:
    found, before = tokens.kinds[error], tokens.kinds[error - 1] if error else -1
    pair = tokens.source.text[tokens.starts[error] : tokens.starts[error] + 2]
    if pair in _STEPS and edit.reason is Reason.SENSELESS:
        return Idiom("LF0206", error, f"LF has no `{pair}`: write `{_STEPS[pair]}`")
    if pair == "<-" and before not in _RELATIONS:
        if shift(stack, NUMBER["BECOMES"]) is not None:
            return Idiom("LF0206", error, "a value is sent with `port!message(value)`")
        if before == NUMBER["BECOMES"]:
            return Idiom("LF0206", error, "a value is received with `port?message(variable)`")
    if found == NUMBER["IDENT"] and before == NUMBER["IDENT"] and tokens.text(error - 1).lower() in _STARTING:
        return Idiom("LF0203", error - 1, "a process is started with `CREATE`", "CREATE")
    if found == NUMBER["COLON"] and before == NUMBER["IDENT"] and tokens.text(error - 1).upper() in _OTHERWISE:
        return Idiom("LF0206", error - 1, "what is left in a CASE goes behind `ELSE`, without a colon")
    default = tokens.text(error - 2).upper() if before == NUMBER["COLON"] and error > 1 else ""
    if default in _OTHERWISE:  # else it could be the name of a loop
        return Idiom("LF0206", error - 2, "what is left in a CASE goes behind `ELSE`, without a colon")
    if found in _SECTIONS and shift(stack, NUMBER["ERROR_STATEMENT"]) is not None:
        return Idiom("LF0206", error, f"declarations stand before `BEGIN`; `{tokens.text(error)}` cannot follow it")
    if _communicates(tokens, error) and shift(stack, NUMBER["PLUS"]) is not None:
        return Idiom("LF0206", error, "a communication has no value: `port?message(variable)` is a statement")
    if before == NUMBER["IDENT"] and tokens.text(error - 1) in _WITH_ARGUMENTS and edit.reason in _FOLLOWS:
        return Idiom("LF0201", error, f"arguments stand in parentheses: `{tokens.text(error - 1)}(...)`")
    starts = any(shift(stack, NUMBER[n]) is not None for n in ("ERROR_STATEMENT", "ERROR_DECLARATION"))
    if pair == "/*" or (pair == "//" and starts):
        return Idiom("LF0206", error, "comments are written `(* ... *)`")
    if found == NUMBER["IDENT"] and tokens.text(error).upper() == "AND" and edit.at >= error:
        return Idiom("LF0203", error, f"`{tokens.text(error)}` is written `&`", "&")
    if before == NUMBER["IDENT"] and tokens.text(error - 1).upper() == "NOT":
        return Idiom("LF0203", error - 1, f"`{tokens.text(error - 1)}` is written `~`", "~")
    if found == NUMBER["BANG"] and shift(stack, NUMBER["TILDE"]) is not None and edit.at == error:
        return Idiom("LF0203", error, "negation is written `~`", "~")
    if found == NUMBER["COLON"] and before == NUMBER["RPAR"] and shift(stack, NUMBER["SERVER"]) is not None:
        return Idiom("LF0202", error, "a PROCESS has no result; a PROCEDURE has: `PROCEDURE F(x : T) : T;`")
    return None


def _declared_as_elsewhere(tokens: Tokens, error: int, stack: Stack) -> Idiom | None:
    found, before = tokens.kinds[error], tokens.kinds[error - 1] if error else -1
    word = tokens.text(error - 1).upper() if before == NUMBER["IDENT"] else ""
    if found == NUMBER["IDENT"] and word in _TYPES and shift(stack, NUMBER["COLON"]) is not None:
        written = f"`{tokens.text(error)} : {tokens.text(error - 1)}`"
        return Idiom("LF0203", error - 1, f"the name stands before its type: write {written}")
    if found == NUMBER["TO"] and word == "POINTER":
        return Idiom("LF0206", error - 1, "there are no pointers")
    if word in _CHANNELS and found in _AFTER_CHANNEL:
        return Idiom("LF0206", error - 1, "a channel type lists its messages, as in `[data(INTEGER), end]`")
    if (found == NUMBER["LSQB"] and before == NUMBER["ARRAY"]) or (
        found == NUMBER["RANGE"] and tokens.kinds[error - 2] == NUMBER["ARRAY"]
    ):
        return Idiom("LF0203", error, "an array has a length, `ARRAY n OF T`; its elements are numbered from 0")
    if found == NUMBER["RANGE"] and tokens.kinds[error - 4 : error - 1 : 2] == [NUMBER["AT"], NUMBER["IN"]]:
        name = tokens.text(error - 5)
        return Idiom(
            "LF0206", error, f"what a register can give is a declaration of its own: `ASSUME {name} IN a .. b;`"
        )
    closed = shift(stack, NUMBER["RPAR"]) if found == NUMBER["COLON"] and before == NUMBER["IDENT"] else None
    if closed is not None and shift(closed, NUMBER["RSQB"]) is not None and shift(closed, NUMBER["PLUS"]) is None:
        return Idiom("LF0206", error, "a message lists the types of its values, without names")
    return None


def _communicates(tokens: Tokens, at: int) -> bool:
    """`p?m` or `p!m`; not the `!` of `!=`, nor `a ? b : c`."""
    around = tokens.kinds[max(at - 1, 0) : at + 3]
    name, colon = NUMBER["IDENT"], NUMBER["COLON"]
    operand = around[:1] == [name] or around[:1] == [NUMBER["RSQB"]]
    return tokens.kinds[at] in _COMMUNICATION and operand and around[2:3] == [name] and around[3:4] != [colon]


def _special_in_lf(tokens: Tokens, edit: Edit, error: int, stack: Stack) -> Idiom | None:
    kinds = tokens.kinds
    found, before = kinds[error], kinds[error - 1] if error else -1
    pair = tokens.source.text[tokens.starts[error] : tokens.starts[error] + 2]
    expression = shift(stack, NUMBER["ERROR_EXPRESSION"]) is not None
    if pair == "[]" and shift(stack, NUMBER["ERROR_TYPE"]) is not None:
        return Idiom("LF0203", error, "a channel type has at least one message")
    word = tokens.text(error)
    is_operator = found in _TEMPORAL and edit.reason is not Reason.KEYWORD_AS_NAME and word not in _MEANT_OTHERWISE
    if is_operator and not _in_a_formula(tokens, error):
        return Idiom("LF0804", error, f"`{word}` belongs into the formula of a PROPERTY{_INSTEAD.get(word, '')}")
    if found in _PREFIXES and before in _BINDS_TIGHTER:
        message = f"`{tokens.text(error)}` cannot follow `{tokens.text(error - 1)}` directly"
        return Idiom("LF0203", error, f"{message}: put it and its operand into parentheses")
    if found in _RELATIONS:
        joined = _relation_before(tokens, error)
        if joined is not None:
            why = f", and `{joined}` binds more strongly" if joined else ""
            example = f"`(a = b) {joined} (c = d)`" if joined else "`(a < b) & (b < c)`"
            return Idiom("LF0202", error, f"relations do not bind to each other{why}: write {example}")
    if before == NUMBER["SELECT"] and found in _END_OF_CLAUSES:
        return Idiom("LF0201", error, "a SELECT has at least one WHEN")
    if before == NUMBER["ARRAY"] and found == NUMBER["OF"] and expression:
        return Idiom("LF0201", error, "the length of the array is missing: only a parameter can be an open array")
    at_error = edit.at >= error or edit.reason is Reason.SENSELESS
    if before == NUMBER["AMPERSAND"] and at_error and not expression and found != before:
        return Idiom("LF0201", error, "a guard stands in parentheses: `& (...)`")
    if found == NUMBER["AMPERSAND"] and before == NUMBER["RPAR"] and shift(stack, NUMBER["THEN"]) is not None:
        return Idiom("LF0206", error, "a guard is one expression in parentheses: `& (a & b)`, not `& (a) & (b)`")
    if edit.reason is Reason.REPLACED and kinds[edit.at] == NUMBER["OR"] and edit.pieces[0].terminal == NUMBER["VBAR"]:
        message = "`OR` separates branches only as the first word of its line or after a semicolon: write `|`"
        return Idiom("LF0203", edit.at, message)
    return None


def _in_a_formula(tokens: Tokens, index: int) -> bool:
    """Whether the statement or declaration of this token is `PROPERTY p = formula`."""
    before = tokens.kinds[:index]
    start = max((at for at, kind in enumerate(before) if kind == NUMBER["SEMICOLON"]), default=0)
    return NUMBER["PROPERTY"] in before[start:]


def _relation_before(tokens: Tokens, index: int) -> str | None:
    """What joins the operand before a relation to an earlier relation of the same expression: `&`, `OR`, or nothing
    (`a < b < c`). None if there is no earlier one."""
    joined = ""
    depth = 0
    if tokens.kinds[index - 1] in _RELATIONS:
        return None  # `==`
    for at in range(index - 1, -1, -1):
        kind = tokens.kinds[at]
        if kind in _CLOSING:
            depth += 1
        elif kind in _OPENING:
            depth -= 1
            if depth < 0:
                return None
        elif depth == 0:
            if kind in _RELATIONS:
                return joined
            if kind not in _OPERANDS:
                return None
            if kind in _JOINING:
                joined = tokens.text(at)
    return None

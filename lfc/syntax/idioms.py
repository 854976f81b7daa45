"""Mistakes that deserve words of their own: habits from other languages, and what is special in LF.

May import: tokens, the stack, terminals, repairs.
"""

from __future__ import annotations

from dataclasses import dataclass

from lfc.syntax.lexer import Tokens
from lfc.syntax.repairs import Edit, Reason
from lfc.syntax.stack import Stack, shift
from lfc.syntax.terminals import NUMBER


@dataclass(frozen=True, slots=True)
class Idiom:
    code: str
    at: int  # the token to point to
    message: str


def _numbers(names: str) -> set[int]:
    return {NUMBER[n] for n in names.split()}


# Operators that apply to what follows, and those that bind tighter, so that they cannot take such an operand.
_PREFIXES = _numbers("PLUS MINUS ALWAYS EVENTUALLY NEXT")
_BINDS_TIGHTER = _numbers(
    "STAR SLASH DIV MOD AMPERSAND PLUS MINUS OR TILDE EQUAL NOT_EQUAL LESSTHAN LESS_EQUAL MORETHAN GREATER_EQUAL IN"
)
_STEPS = {"+=": "INC(x, n)", "-=": "DEC(x, n)", "++": "INC(x)", "--": "DEC(x)"}


def idiom(tokens: Tokens, edit: Edit, error: int, stack: Stack) -> Idiom | None:
    """What to say instead of the usual, if the mistake is a known one. `stack` is the one before the edit."""
    kinds = tokens.kinds
    found, before = kinds[error], kinds[error - 1] if error else -1
    pair = tokens.source.text[tokens.starts[error] : tokens.starts[error] + 2]
    expression = shift(stack, NUMBER["ERROR_EXPRESSION"]) is not None
    if pair in _STEPS and edit.reason is Reason.SENSELESS:
        return Idiom("LF0206", error, f"LF has no `{pair}`: write `{_STEPS[pair]}`")
    if pair == "[]" and shift(stack, NUMBER["ERROR_TYPE"]) is not None:
        return Idiom("LF0203", error, "a channel type has at least one message")
    if found in _PREFIXES and before in _BINDS_TIGHTER:
        message = f"`{tokens.text(error)}` cannot follow `{tokens.text(error - 1)}` directly"
        return Idiom("LF0203", error, f"{message}: put it and its operand into parentheses")
    if before == NUMBER["RETURN"] and edit.at >= error:
        return Idiom("LF0202", error, "RETURN takes no value: a process returns results through its VAR parameters")
    if before == NUMBER["ARRAY"] and found == NUMBER["OF"] and expression:
        return Idiom("LF0201", error, "the length of the array is missing: only a parameter can be an open array")
    if found == NUMBER["AMPERSAND"] and before == NUMBER["RPAR"] and shift(stack, NUMBER["THEN"]) is not None:
        return Idiom("LF0206", error, "a guard is one expression in parentheses: `& (a & b)`, not `& (a) & (b)`")
    if edit.reason is Reason.REPLACED and kinds[edit.at] == NUMBER["OR"] and edit.pieces[0].terminal == NUMBER["VBAR"]:
        message = "`OR` separates branches only as the first word of its line or after a semicolon: write `|`"
        return Idiom("LF0203", edit.at, message)
    return None

"""Reads a formula that stands alone, as in `lfc ltl`.

The syntax is the language's. On top of it come the signs of other tools, with the binding that they have there: `X`,
`F`, `G` beside NEXT, EVENTUALLY, ALWAYS; `U`, `W`, `R` or `V`, `M` beside UNTIL and its kin; `!`; `/\\` or `&&`, and
`\\/` or `||`, which bind weaker than UNTIL. Atoms are not looked into: designators, `READY(P)`, `TAKEN(q.m)`, relations
between two of these or numbers, and anything in quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.mcheck.ltl.formula import FALSE, TRUE, Formula, Op, atom, negation, node
from lfc.semantics.model.visit import deep_stack

DEEPEST = 200

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<word>[A-Za-z_]\w*) | (?P<number>[0-9]\w*) | (?P<quoted>"[^"\n]*")
    | (?P<sign><->|->|\[\]|<>|/\\|\\/|&&|\|\||<=|>=|[()\[\].,~!&=\#<>;])
    | (?P<unknown>\S))""",
    re.VERBOSE | re.ASCII,
)
_UNARY = {
    **{w: Op.ALWAYS for w in ("ALWAYS", "[]", "G")},
    **{w: Op.EVENTUALLY for w in ("EVENTUALLY", "<>", "F")},
    **{w: Op.NEXT for w in ("NEXT", "X")},
}
_UNTIL = {
    **{w: Op.UNTIL for w in ("UNTIL", "U")},
    **{w: Op.WEAKUNTIL for w in ("WEAKUNTIL", "W")},
    **{w: Op.RELEASE for w in ("RELEASE", "R", "V")},
    "M": Op.STRONGRELEASE,
}
_WORDS = set(_UNARY) | set(_UNTIL) | {"IMPLIES", "IFF", "OR"}
_CONSTANTS = {"TRUE": TRUE, "FALSE": FALSE, "true": TRUE, "false": FALSE}
_NEGATIONS = ("~", "!")
_RELATIONS = ("=", "#", "<", "<=", ">", ">=")


@dataclass(slots=True)
class _Token:
    kind: str  # word, number, quoted, sign, unknown, end
    text: str
    start: int
    end: int


class _Wrong(Exception):
    """The formula has an error, and it is reported."""


def parse_formula(source: Source, diagnostics: Diagnostics) -> Formula | None:
    """None if there is an error."""
    try:
        with deep_stack():
            return _Parser(source, diagnostics).parse()
    except _Wrong:
        return None


class _Parser:
    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.at = 0
        self.depth = 0
        text = source.text
        self.tokens = [
            _Token(m.lastgroup or "", m[m.lastgroup or 0], m.start(m.lastgroup or 0), m.end())
            for m in _TOKEN.finditer(text, 0, len(text.rstrip()))
        ]
        end = len(text.rstrip())
        self.tokens.append(_Token("end", "", end, end))

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def wrong(self, code: str, token: _Token, message: str, *notes: str) -> _Wrong:
        span = Span(self.source, token.start, token.end)
        self.diagnostics.report(code, span, message, *(Note(n) for n in notes))
        return _Wrong()

    def take(self, *texts: str) -> str | None:
        """The next token, if it is one of these words or signs."""
        token = self.token
        if token.kind in ("word", "sign") and token.text in texts:
            self.at += 1
            return token.text
        return None

    def parse(self) -> Formula:
        if self.token.kind == "end":
            raise self.wrong("LF0201", self.token, "the formula is empty")
        found = self.formula()
        token = self.token
        if token.kind == "end":
            return found
        if token.kind == "unknown":
            raise self.unknown(token)
        if token.text == ")":
            raise self.wrong("LF0202", token, "`)` without a `(`")
        raise self.wrong("LF0202", token, f"`{token.text}` is unexpected: the formula is complete before it")

    def unknown(self, token: _Token) -> _Wrong:
        if token.text == '"':
            return self.wrong("LF0103", token, "the quoted atom is not terminated")
        return self.wrong("LF0101", token, f"`{token.text}` is not allowed in a formula")

    def too_deep(self) -> _Wrong:
        return self.wrong("LF0207", self.token, f"the formula is nested deeper than {DEEPEST}")

    def formula(self) -> Formula:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.too_deep()
        left = self.implication()
        while self.take("IFF", "<->"):
            left = node(Op.IFF, left, self.implication())
        self.depth -= 1
        return left

    def implication(self) -> Formula:
        parts = [self.disjunction()]
        while self.take("IMPLIES", "->"):
            parts.append(self.disjunction())
        return self.to_the_right([Op.IMPLIES] * (len(parts) - 1), parts)

    def disjunction(self) -> Formula:
        left = self.conjunction()
        while self.take("\\/", "||"):
            left = node(Op.OR, left, self.conjunction())
        return left

    def conjunction(self) -> Formula:
        left = self.until()
        while self.take("/\\", "&&"):
            left = node(Op.AND, left, self.until())
        return left

    def until(self) -> Formula:
        parts, ops = [self.temporal()], []
        while (text := self.take(*_UNTIL)) is not None:
            ops.append(_UNTIL[text])
            parts.append(self.temporal())
        return self.to_the_right(ops, parts)

    @staticmethod
    def to_the_right(ops: list[Op], parts: list[Formula]) -> Formula:
        result = parts[-1]
        for op, part in zip(reversed(ops), reversed(parts[:-1]), strict=True):
            result = node(op, part, result)
        return result

    def temporal(self) -> Formula:
        ops: list[Op] = []
        while True:
            text = self.take(*_UNARY)
            if text is not None:
                ops.append(_UNARY[text])
            elif self.negates_temporal() and self.take("!", "~"):
                ops.append(Op.NOT)
            else:
                break
        if len(ops) > DEEPEST:
            raise self.too_deep()
        result = self.expression()
        for op in reversed(ops):
            result = node(op, result)
        return result

    def negates_temporal(self) -> bool:
        """Whether a temporal operator stands behind the negations here: `![]p`."""
        at = self.at
        while self.tokens[at].kind == "sign" and self.tokens[at].text in _NEGATIONS:
            at += 1
        return at > self.at and self.tokens[at].text in _UNARY and self.tokens[at].kind in ("word", "sign")

    def expression(self) -> Formula:
        left = self.term()
        while self.take("OR"):
            left = node(Op.OR, left, self.term())
        self.no_relation_here()
        return left

    def term(self) -> Formula:
        left = self.factor()
        while self.take("&"):
            left = node(Op.AND, left, self.factor())
        return left

    def no_relation_here(self) -> None:
        token = self.token
        if token.kind == "sign" and token.text in _RELATIONS:
            note = "`&` and `OR` bind tighter than relations: `(x = 1) & (y = 2)`"
            raise self.wrong("LF0202", token, f"`{token.text}` compares two values here, not formulas", note)

    def factor(self) -> Formula:
        negations = 0
        while self.take(*_NEGATIONS):
            negations += 1
        if negations > DEEPEST:
            raise self.too_deep()
        result = self.primary(negations > 0)
        for _ in range(negations):
            result = negation(result)
        return result

    def primary(self, negated: bool) -> Formula:
        token = self.token
        if token.kind == "sign" and token.text == "(":
            self.at += 1
            found = self.formula()
            if not self.take(")"):
                if self.token.kind == "unknown":
                    raise self.unknown(self.token)
                raise self.wrong("LF0201", self.token, "`)` is missing")
            return found
        if token.kind == "word" and token.text in _CONSTANTS:
            self.at += 1
            return _CONSTANTS[token.text]
        if token.kind in ("quoted", "number") or (token.kind == "word" and token.text not in _WORDS):
            return self.atom(negated)
        if token.kind == "end":
            raise self.wrong("LF0201", token, "the formula ends too early: an operand is missing")
        if token.kind == "unknown":
            raise self.unknown(token)
        if token.text in _UNARY:
            note = f"put it in parentheses, `({token.text} ...)`, or join with `/\\` and `\\/`, which bind weaker"
            raise self.wrong("LF0202", token, f"`{token.text}` binds weaker than the operator before it", note)
        raise self.wrong("LF0203", token, f"an operand is missing before `{token.text}`")

    def atom(self, negated: bool) -> Formula:
        before = self.tokens[self.at - 1].text if self.at else ""
        first = self.token
        if first.kind == "quoted":
            self.at += 1
            if len(first.text) == 2:
                raise self.wrong("LF0201", first, "a quoted atom is empty")
            return atom(first.text[1:-1])
        text = self.operand()
        relation = self.token
        if negated or before in ("&", "OR") or not self.take(*_RELATIONS):
            if first.kind == "number":
                raise self.wrong("LF0203", first, f"`{first.text}` is a number, where a formula is expected")
            return atom(text)
        if self.token.kind not in ("word", "number"):
            raise self.wrong("LF0203", self.token, f"a value to compare with is missing after `{relation.text}`")
        text = f"{text} {relation.text} {self.operand()}"
        if self.token.kind in ("sign", "word") and self.token.text in ("&", "OR", *_RELATIONS):
            note = "put the relation in parentheses"
            raise self.wrong("LF0202", self.token, f"`{self.token.text}` binds tighter than `{relation.text}`", note)
        return atom(text)

    def operand(self) -> str:
        """The text of a number, a designator or a question to one, without blanks."""
        token = self.token
        self.at += 1
        if token.kind == "number" or (token.kind == "word" and token.text not in _WORDS):
            text = token.text
        else:
            raise self.wrong("LF0203", token, f"`{token.text}` is an operator, where a value is expected")
        while token.kind == "word":
            sign = self.token
            if self.take("."):
                if self.token.kind != "word":
                    raise self.wrong("LF0201", self.token, "a name is missing after `.`")
                text += "." + self.token.text
                self.at += 1
            elif self.take("(", "["):
                text += sign.text + self.bracketed(sign)
            else:
                break
        return text

    def bracketed(self, opening: _Token) -> str:
        closing = {"(": ")", "[": "]"}[opening.text]
        text = self.operand() if self.token.kind in ("word", "number") else ""
        while self.take(","):
            text += ", " + self.operand()
        if not text or not self.take(closing):
            raise self.wrong("LF0201", self.token, f"`{closing}` is missing" if text else "an index or name is missing")
        return text + closing

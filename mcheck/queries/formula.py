"""Formulas of CTL, and their text.

formula = implication { "<->" implication } .
implication = disjunction [ "->" implication ] .
disjunction = conjunction { "OR" conjunction } .
conjunction = unary { "&" unary } .
unary = ( "~" | "EX" | "EF" | "EG" | "AX" | "AF" | "AG" ) unary
      | ( "E" | "A" ) "[" formula "U" formula "]" | "(" formula ")" | atom .
atom = operand [ ( "=" | "#" | "<" | "<=" | ">" | ">=" ) operand ]
     | ( "READY" | "WAITING" | "LIVES" ) "(" process ")" | "FAULT" | "DEADLOCK" | "END" | "TRUE" | "FALSE" .
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lfc.mcheck.queries.stored_graph import DEADLOCK, END, FAULT

TOKEN = re.compile(
    r"\s*(?:(?P<sign><->|->|<=|>=|[()~&=\#<>\[\]]|-?\d+)|(?P<char>'.')"
    r"|(?P<name>[A-Za-z_]\w*(?:\[\d+\])*(?:\(\))?(?:\.[A-Za-z_]\w*(?:\[\d+\])*(?:\(\))?)*)|(?P<text>\"[^\"]*\"))"
)
UNARY = ("EX", "EF", "EG", "AX", "AF", "AG")
STATUS = ("READY", "WAITING", "LIVES")
MARKS = (FAULT, DEADLOCK, END)
RELATIONS = ("=", "#", "<", "<=", ">", ">=")
DEEPEST = 100


class BadQuery(ValueError):
    """Says what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Operand:
    name: str | None  # of a variable, or of an enumeration's value; None: a constant
    constant: int | str | bool = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    left: Operand
    relation: str
    right: Operand


@dataclass(frozen=True, slots=True)
class Formula:
    """`op`: not, and, or, the CTL operators EX EF EG EU AX AF AG AU, or an atom: true, compare, status, mark."""

    op: str
    parts: tuple[Formula, ...] = ()
    comparison: Comparison | None = None
    word: str = ""  # READY ..., FAULT ...
    process: str = ""


TRUE = Formula("true")


def parse(text: str) -> Formula:
    parser = Parser(text)
    found = parser.formula()
    if parser.token:
        raise BadQuery(f"`{parser.token}` at column {parser.column} is too much")
    return found


class Parser:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str, int]] = []
        at = 0
        while text[at:].strip():
            match = TOKEN.match(text, at)
            if match is None:
                start = at + len(text[at:]) - len(text[at:].lstrip())
                raise BadQuery(f"`{text[start]}` at column {start + 1} is no part of a query")
            assert match.lastgroup is not None
            self.tokens.append((match.lastgroup, match[match.lastgroup], match.start(match.lastgroup) + 1))
            at = match.end()
        self.tokens.append(("end", "", len(text) + 1))
        self.at = 0
        self.depth = 0

    @property
    def token(self) -> str:
        return self.tokens[self.at][1]

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0]

    @property
    def column(self) -> int:
        return self.tokens[self.at][2]

    def take(self, *texts: str) -> bool:
        if self.kind != "end" and self.token in texts:
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        if not self.take(text):
            what = f"`{self.token}`" if self.token else "the end"
            raise BadQuery(f"`{text}` is missing before {what} at column {self.column}")

    def formula(self) -> Formula:
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadQuery(f"the query is nested more than {DEEPEST} deep")
        found = self.implication()
        while self.take("<->"):
            right = self.implication()
            both, none = Formula("and", (found, right)), Formula("and", (negation(found), negation(right)))
            found = Formula("or", (both, none))
        self.depth -= 1
        return found

    def implication(self) -> Formula:
        left = self.disjunction()
        if self.take("->"):
            self.depth += 1
            if self.depth > DEEPEST:
                raise BadQuery(f"the query is nested more than {DEEPEST} deep")
            right = self.implication()
            self.depth -= 1
            return Formula("or", (negation(left), right))
        return left

    def disjunction(self) -> Formula:
        found = self.conjunction()
        while self.take("OR"):
            found = Formula("or", (found, self.conjunction()))
        return found

    def conjunction(self) -> Formula:
        found = self.unary()
        while self.take("&"):
            found = Formula("and", (found, self.unary()))
        return found

    def unary(self) -> Formula:
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadQuery(f"the query is nested more than {DEEPEST} deep")
        found = self.primary()
        self.depth -= 1
        return found

    def primary(self) -> Formula:
        if self.take("~"):
            return negation(self.unary())
        if self.kind == "name" and self.token in UNARY:
            op = self.token
            self.at += 1
            return Formula(op, (self.unary(),))
        if self.token in ("E", "A") and self.tokens[self.at + 1][1] == "[":
            op = f"{self.token}U"
            self.at += 2
            left = self.formula()
            self.need("U")
            right = self.formula()
            self.need("]")
            return Formula(op, (left, right))
        if self.take("("):
            inside = self.formula()
            self.need(")")
            return inside
        return self.atom()

    def atom(self) -> Formula:
        if self.kind == "name" and self.token in MARKS:
            word = self.token
            self.at += 1
            return Formula("mark", word=word)
        if self.kind == "name" and self.token in STATUS and self.tokens[self.at + 1][1] == "(":
            word = self.token
            self.at += 2
            if self.kind != "name":
                raise BadQuery(f"{word} needs the name of a process at column {self.column}")
            process = self.token
            self.at += 1
            self.need(")")
            return Formula("status", word=word, process=process)
        left = self.operand()
        if self.token in RELATIONS:
            relation = self.token
            self.at += 1
            return Formula("compare", comparison=Comparison(left, relation, self.operand()))
        if left.name is None:
            if left.constant is True:
                return TRUE
            if left.constant is False:
                return negation(TRUE)
            raise BadQuery(f"a relation is missing at column {self.column}")
        return Formula("compare", comparison=Comparison(left, "=", Operand(None, True)))

    def operand(self) -> Operand:
        kind, text, column = self.tokens[self.at]
        self.at += kind != "end"
        match kind:
            case "name" if text in ("TRUE", "FALSE"):
                return Operand(None, text == "TRUE")
            case "name":
                return Operand(text)
            case "char" | "text":
                return Operand(None, text[1:-1])
            case "sign" if text.lstrip("-").isdecimal():
                return Operand(None, int(text))
        what = f"`{text}`" if text else "the end"
        raise BadQuery(f"a condition is missing before {what} at column {column}")


def negation(f: Formula) -> Formula:
    return f.parts[0] if f.op == "not" else Formula("not", (f,))

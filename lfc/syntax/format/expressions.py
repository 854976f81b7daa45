"""Documents of expressions. Lines end behind operators, never before them."""

from __future__ import annotations

from lfc.syntax.format.document import SPACE, Document, Group, Line, Word
from lfc.syntax.format.words import in_brackets, name
from lfc.syntax.grammar import tree

_LEVELS = (
    ("IFF",),
    ("IMPLIES",),
    ("UNTIL", "WEAKUNTIL", "RELEASE"),
    ("=", "#", "<", "<=", ">", ">=", "IN"),
    ("+", "-", "OR"),
    ("*", "/", "DIV", "MOD", "&"),
)
_LEVEL = {op: level for level, ops in enumerate(_LEVELS) for op in ops}
_TO_THE_RIGHT = {_LEVEL["IMPLIES"], _LEVEL["UNTIL"]}
_SHORT_FORMS = {"ALWAYS": "[]", "EVENTUALLY": "<>", "IMPLIES": "->", "IFF": "<->"}
_SLOPPY_SPELLINGS = {"true": "TRUE", "false": "FALSE"}


class ExpressionForms:
    """`declared`: names that the module declares; its own `true` is none of the predeclared ones."""

    def __init__(self, declared: set[str]) -> None:
        self.respelled = {sloppy: right for sloppy, right in _SLOPPY_SPELLINGS.items() if sloppy not in declared}

    def expression(self, e: tree.Expr) -> Document:
        match e:
            case tree.IntLit() | tree.DecimalLit() | tree.CharLit() | tree.StringLit():
                return Word(e.text, e.span.start)
            case tree.Ident():
                return Word(self.respelled.get(e.name, e.name), e.span.start)
            case tree.Field():
                return [self.expression(e.base), Word("."), name(e.name)]
            case tree.Index():
                return [self.expression(e.base), self.in_brackets("[", e.indices, "]")]
            case tree.Call():
                return [self.expression(e.callee), self.in_brackets("(", e.arguments, ")")]
            case tree.Unary():
                return self._unary(e)
            case tree.TimedFormula():
                return self._timed(e)
            case tree.Binary():
                return self._chain(e)
            case tree.Paren():
                return [Word("("), self.expression(e.inner), Word(")")]
            case tree.SetLit():
                return in_brackets("{", [self.range(x.low, x.high) for x in e.elements], "}")
            case tree.Aggregate():
                return in_brackets("[", [self._item(x) for x in e.items], "]")
        raise TypeError(f"no layout for {type(e).__name__}")

    def _item(self, item: tree.InitialItem) -> Document:
        if item.name is None:
            return self.expression(item.value)
        return [name(item.name), SPACE, Word(":="), SPACE, self.expression(item.value)]

    def in_brackets(self, opening: str, items: list[tree.Expr], closing: str) -> Document:
        return in_brackets(opening, [self.expression(e) for e in items], closing)

    def range(self, low: tree.Expr, high: tree.Expr | None) -> Document:
        if high is None:
            return self.expression(low)
        return [self.expression(low), SPACE, Word(".."), SPACE, self.expression(high)]

    def _unary(self, e: tree.Unary) -> Document:
        word = _operator(e.op)
        return [word, *([SPACE] if e.op.isalpha() else []), self.expression(e.operand)]

    def _timed(self, e: tree.TimedFormula) -> Document:
        word = Word("WITHIN" if e.op == "EVENTUALLY" else "FOR")
        bound: list[Document] = [SPACE, word, SPACE, self.expression(e.bound), SPACE, self.expression(e.unit)]
        return [_operator(e.op), SPACE, self.expression(e.operand), bound]

    def _chain(self, e: tree.Binary) -> Document:
        """All operators of one level in a row, so that each operand goes to a new line only if it must."""
        level = _LEVEL[e.op]
        operands: list[tree.Expr] = []
        operators: list[str] = []
        rest: tree.Expr = e
        if level in _TO_THE_RIGHT:
            while isinstance(rest, tree.Binary) and _LEVEL[rest.op] == level:
                operands.append(rest.left)
                operators.append(rest.op)
                rest = rest.right
            operands.append(rest)
        else:
            while isinstance(rest, tree.Binary) and _LEVEL[rest.op] == level:
                operands.append(rest.right)
                operators.append(rest.op)
                rest = rest.left
            operands = [rest, *reversed(operands)]
            operators.reverse()
        found: list[Document] = [self.expression(operands[0])]
        for op, operand in zip(operators, operands[1:], strict=True):
            found += [SPACE, _operator(op), Group([Line(), self.expression(operand)])]
        return found


def _operator(op: str) -> Word:
    short = _SHORT_FORMS.get(op)
    return Word(op, also_written=(short,) if short else (), keeps_to_line=op == "OR")

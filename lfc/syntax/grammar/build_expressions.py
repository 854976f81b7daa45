"""Makes tree nodes of expressions, and the lists of all productions; what build.py says holds here too."""

from __future__ import annotations

from typing import TypeVar

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar import tree
from lfc.syntax.grammar.lexer import Tokens, number_value
from lfc.syntax.grammar.terminals import NUMBER, SPELLING

T = TypeVar("T")

_LONG_FORMS = {NUMBER[n]: n for n in ("ALWAYS", "EVENTUALLY", "IMPLIES", "IFF")}
OPERATORS = [_LONG_FORMS.get(kind, spelling) for kind, spelling in enumerate(SPELLING)]


class ExpressionBuilder:
    def __init__(self, tokens: Tokens, diagnostics: Diagnostics) -> None:
        self.tokens = tokens
        self.source = tokens.source
        self.text = tokens.source.text
        self.kinds = tokens.kinds
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.diagnostics = diagnostics

    def _span(self, first: int, last: int) -> Span:
        """From one token to another."""
        return Span(self.source, self.starts[first], self.ends[last])

    def _word(self, token: int) -> str:
        return self.text[self.starts[token] : self.ends[token]]

    # --- lists and options; what is not there (an empty statement) is left out of its list ----------------------------

    def absent(self) -> None:
        return None

    def present(self, token: int) -> int:
        return token

    def second(self, _token: int, value: T, *_rest: int) -> T:
        return value

    def new_list(self) -> list[object]:
        return []

    def one_item(self, item: T | None) -> list[T]:
        return [] if item is None else [item]

    def add_item(self, items: list[T], item: T | None) -> list[T]:
        if item is not None:
            items.append(item)
        return items

    def add_after(self, items: list[T], _separator: int, item: T | None) -> list[T]:
        if item is not None:
            items.append(item)
        return items

    def add_before(self, items: list[T], item: T | None, _terminator: int) -> list[T]:
        if item is not None:
            items.append(item)
        return items

    # --- expressions -------------------------------------------------------------------------------------------------

    def name(self, ident: int) -> tree.Name:
        start, end = self.starts[ident], self.ends[ident]
        return tree.Name(Span(self.source, start, end), self.text[start:end])

    def ident(self, ident: int) -> tree.Expr:
        start, end = self.starts[ident], self.ends[ident]
        span = Span(self.source, start, end)
        return tree.Ident(span, self.text[start:end]) if end > start else tree.ErrorExpr(span)

    def field(self, base: tree.Expr, _dot: int, name: tree.Name) -> tree.Expr:
        span = Span(self.source, base.span.start, name.span.end)
        return tree.Field(span, base, name) if name.text else tree.ErrorExpr(span)

    def index(self, base: tree.Expr, _left: int, indices: list[tree.Expr], right: int) -> tree.Index:
        return tree.Index(Span(self.source, base.span.start, self.ends[right]), base, indices)

    def call(self, callee: tree.Expr, _left: int, arguments: list[tree.Expr], right: int) -> tree.Call:
        return tree.Call(Span(self.source, callee.span.start, self.ends[right]), callee, arguments)

    def max_call(self, keyword: int, left: int, arguments: list[tree.Expr], right: int) -> tree.Call:
        return self.call(tree.Ident(self._span(keyword, keyword), "MAX"), left, arguments, right)

    def binary(self, left: tree.Expr, operator: int, right: tree.Expr) -> tree.Binary:
        span = Span(self.source, left.span.start, right.span.end)
        return tree.Binary(span, OPERATORS[self.kinds[operator]], left, right)

    def unary(self, operator: int, operand: tree.Expr) -> tree.Unary:
        span = Span(self.source, self.starts[operator], operand.span.end)
        return tree.Unary(span, OPERATORS[self.kinds[operator]], operand)

    def timed(self, operator: int, operand: tree.Expr, _word: int, bound: tree.Expr, unit: int) -> tree.TimedFormula:
        word = OPERATORS[self.kinds[operator]]
        name = tree.Ident(self._span(unit, unit), self._word(unit))
        return tree.TimedFormula(self._span(operator, unit), word, operand, bound, name)

    def paren(self, left: int, inner: tree.Expr, right: int) -> tree.Paren:
        return tree.Paren(self._span(left, right), inner)

    def integer(self, token: int) -> tree.Expr:
        span = self._span(token, token)
        text = self._word(token)
        if token in self.tokens.reported:
            return tree.ErrorExpr(span)
        return tree.IntLit(span, number_value(text), text)

    def decimal(self, token: int) -> tree.Expr:
        text = self._word(token)
        whole, _, fraction = text.partition(".")
        return tree.DecimalLit(self._span(token, token), int(whole + fraction), len(fraction), text)

    def character(self, token: int) -> tree.Expr:
        span = self._span(token, token)
        text = self._word(token)
        if token in self.tokens.reported:
            return tree.ErrorExpr(span)
        return tree.CharLit(span, ord(text[1]) if text[0] == "'" else number_value(text), text)

    def string(self, token: int) -> tree.StringLit:
        text = self._word(token)
        closed = len(text) > 1 and text[-1] == text[0]
        return tree.StringLit(self._span(token, token), text[1:-1] if closed else text[1:], text)

    def aggregate(self, left: int, items: list[tree.InitialItem], right: int) -> tree.Aggregate:
        return tree.Aggregate(self._span(left, right), items)

    def initial_item(self, value: tree.Expr) -> tree.InitialItem:
        return tree.InitialItem(value.span, None, value)

    def named_item(self, name: tree.Name, _becomes: int, value: tree.Expr) -> tree.InitialItem:
        return tree.InitialItem(name.span.to(value.span), name, value)

    def empty_set(self, left: int, right: int) -> tree.SetLit:
        return tree.SetLit(self._span(left, right), [])

    def set_literal(self, left: int, elements: list[tree.SetElement], right: int) -> tree.SetLit:
        return tree.SetLit(self._span(left, right), elements)

    def element(self, value: tree.Expr) -> tree.SetElement:
        return tree.SetElement(value.span, value, None)

    def element_range(self, low: tree.Expr, _range: int, high: tree.Expr) -> tree.SetElement:
        return tree.SetElement(low.span.to(high.span), low, high)

    def error_expression(self, token: int) -> tree.ErrorExpr:
        return tree.ErrorExpr(self._span(token, token))

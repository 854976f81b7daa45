"""Makes tree nodes: one method for each `-> act` of the grammar. May import: the tree, the tokens, diagnostics.

A method gets the values of its production's symbols: the number of a token for a terminal, for the rest what other
methods made. The text of a token that recovery wrote is empty, so a missing name is the name "".
"""

from __future__ import annotations

from typing import TypeVar

from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.source import Span
from lfc.syntax import tree
from lfc.syntax.lexer import Tokens, number_value
from lfc.syntax.terminals import NUMBER, SPELLING

T = TypeVar("T")

_LONG_FORMS = {NUMBER[n]: n for n in ("ALWAYS", "EVENTUALLY", "IMPLIES", "IFF")}
OPERATORS = [_LONG_FORMS.get(kind, spelling) for kind, spelling in enumerate(SPELLING)]

Formals = list[tree.Formal] | None
Statements = list[tree.Statement]


class Builder:
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

    # --- modules -----------------------------------------------------------------------------------------------------

    def module(
        self,
        environment: int | None,
        keyword: int,
        ident: int,
        _semicolon: int,
        imports: list[tree.Import],
        declarations: list[tree.Decl],
        body: Statements | None,
        _end: int,
        closing: int,
        last: int,
    ) -> tree.Module:
        name = self.name(ident)
        span = self._span(keyword if environment is None else environment, last)
        closed_by = self._closing("module", name, closing)
        return tree.Module(
            span, self.source, environment is not None, name, imports, declarations, body, closed_by, self.comments()
        )

    def comments(self) -> list[tree.Comment]:
        return [tree.Comment(Span(self.source, a, b), self.text[a:b]) for a, b in self.tokens.comments]

    def plain_import(self, ident: int) -> tree.Import:
        name = self.name(ident)
        return tree.Import(name.span, name, name)

    def alias_import(self, alias: int, _becomes: int, module: int) -> tree.Import:
        return tree.Import(self._span(alias, module), self.name(alias), self.name(module))

    def _closing(self, what: str, opened: tree.Name | tree.IdentDef, token: int) -> tree.Name | None:
        word = self._word(token)
        if not word:
            return None  # recovery has said so
        closing = self.name(token)
        if word != opened.text and opened.text:
            self.diagnostics.report(
                "LF0213",
                closing.span,
                f"{what} `{opened.text}` is closed by the name `{word}`: write `END {opened.text}`",
                Note(f"`{opened.text}` starts here", opened.span),
                fix=Fix(closing.span, opened.text, f"write `{opened.text}`"),
            )
        return closing

    # --- declarations ------------------------------------------------------------------------------------------------

    def section(self, keyword: int, declarations: list[tree.ConstDecl]) -> tree.Section:
        end = declarations[-1].span.end if declarations else self.ends[keyword]
        return tree.Section(Span(self.source, self.starts[keyword], end), SPELLING[self.kinds[keyword]], declarations)

    def error_declaration(self, _token: int) -> None:
        return None

    def identdef(self, ident: int) -> tree.IdentDef:
        return tree.IdentDef(self._span(ident, ident), self._word(ident), False)

    def exported_identdef(self, ident: int, star: int) -> tree.IdentDef:
        return tree.IdentDef(self._span(ident, star), self._word(ident), True)

    def constant(self, name: tree.IdentDef, _equal: int, value: tree.Expr) -> tree.ConstDecl:
        return tree.ConstDecl(name.span.to(value.span), name, value)

    def type_declaration(self, name: tree.IdentDef, _equal: int, type_: tree.TypeNode) -> tree.TypeDecl:
        return tree.TypeDecl(name.span.to(type_.span), name, type_)

    def variable(
        self, names: list[tree.IdentDef], _colon: int, type_: tree.TypeNode, initial: tree.Expr | None
    ) -> tree.VarDecl:
        return self._variable(names, None, False, type_, initial)

    def variable_at(
        self,
        names: list[tree.IdentDef],
        _at: int,
        address: tree.Expr,
        nonatomic: int | None,
        _colon: int,
        type_: tree.TypeNode,
        initial: tree.Expr | None,
    ) -> tree.VarDecl:
        return self._variable(names, address, nonatomic is not None, type_, initial)

    def _variable(
        self,
        names: list[tree.IdentDef],
        address: tree.Expr | None,
        nonatomic: bool,
        type_: tree.TypeNode,
        initial: tree.Expr | None,
    ) -> tree.VarDecl:
        if initial is not None:
            self.diagnostics.report(
                "LF0209",
                initial.span,
                f"a declaration gives `{names[0].text}` no value: every variable starts at zero",
                Note(f"assign it after BEGIN: `{names[0].text} := ...`"),
            )
        last = type_ if initial is None else initial
        return tree.VarDecl(names[0].span.to(last.span), names, address, type_, nonatomic, initial)

    def port(self, names: list[tree.IdentDef], _colon: int, type_: tree.TypeNode) -> tree.PortDecl:
        self._expect_named(type_)
        return tree.PortDecl(names[0].span.to(type_.span), names, type_, None)

    def port_max(
        self, names: list[tree.IdentDef], _colon: int, type_: tree.TypeNode, _max: int, bound: tree.Expr
    ) -> tree.PortDecl:
        self._expect_named(type_)
        return tree.PortDecl(names[0].span.to(bound.span), names, type_, bound)

    def _expect_named(self, type_: tree.TypeNode) -> None:
        while isinstance(type_, tree.ArrayType):
            type_ = type_.element
        if not isinstance(type_, tree.NamedType | tree.ErrorTypeNode):
            hint = Note("give the channel type a name, `TYPE T = [...];`, and declare the port as `p : T`")
            self.diagnostics.report("LF0208", type_.span, "the type of a port must have a name", hint)

    def process(
        self,
        keyword: int,
        name: tree.IdentDef,
        formals: Formals,
        attributes: list[tree.Attribute],
        _semicolon: int,
        declarations: list[tree.Decl],
        body: Statements | None,
        _end: int,
        closing: int,
        _last: int,
    ) -> tree.ProcessDecl:
        closed_by = self._closing("process", name, closing)
        parens = formals is not None
        span = self._span(keyword, closing)
        return tree.ProcessDecl(span, name, formals or [], parens, attributes, declarations, body, closed_by)

    def external_process(
        self,
        keyword: int,
        name: tree.IdentDef,
        formals: Formals,
        attributes: list[tree.Attribute],
        external: int,
        more: list[tree.Attribute],
        last: int,
    ) -> tree.ProcessDecl:
        marks = [*attributes, self.attribute_mark(external), *more]
        span = self._span(keyword, last)
        return tree.ProcessDecl(span, name, formals or [], formals is not None, marks, [], None, None)

    def empty_formals(self, _left: int, _right: int) -> list[tree.Formal]:
        return []

    def value_formal(self, names: list[tree.Name], _colon: int, type_: tree.TypeNode) -> tree.Formal:
        return tree.Formal(names[0].span.to(type_.span), False, names, type_)

    def var_formal(self, var: int, names: list[tree.Name], _colon: int, type_: tree.TypeNode) -> tree.Formal:
        return tree.Formal(Span(self.source, self.starts[var], type_.span.end), True, names, type_)

    def open_array(self, array: int, _of: int, element: tree.TypeNode) -> tree.ArrayType:
        return tree.ArrayType(Span(self.source, self.starts[array], element.span.end), [], element)

    def attribute_value(self, keyword: int, value: tree.Expr) -> tree.Attribute:
        span = Span(self.source, self.starts[keyword], value.span.end)
        return tree.Attribute(span, SPELLING[self.kinds[keyword]], value)

    def attribute_mark(self, keyword: int) -> tree.Attribute:
        return tree.Attribute(self._span(keyword, keyword), SPELLING[self.kinds[keyword]], None)

    def property_process(
        self,
        keyword: int,
        ident: int,
        _semicolon: int,
        declarations: list[tree.Decl],
        _begin: int,
        body: Statements,
        _end: int,
        closing: int,
        _last: int,
    ) -> tree.PropertyDecl:
        name = self.name(ident)
        closed_by = self._closing("property", name, closing)
        return tree.PropertyDecl(self._span(keyword, closing), name, declarations, body, None, closed_by)

    def property_formula(
        self, keyword: int, ident: int, _equal: int, formula: tree.Expr, _semicolon: int
    ) -> tree.PropertyDecl:
        span = Span(self.source, self.starts[keyword], formula.span.end)
        return tree.PropertyDecl(span, self.name(ident), [], None, formula, None)

    # --- types -------------------------------------------------------------------------------------------------------

    def named_type(self, designator: tree.Expr) -> tree.TypeNode:
        match designator:
            case tree.Ident(name=text):
                return tree.NamedType(designator.span, None, tree.Name(designator.span, text))
            case tree.Field(base=tree.Ident(name=text) as base, name=name):
                return tree.NamedType(designator.span, tree.Name(base.span, text), name)
            case tree.Index(base=base):
                hint = Note(f"an array type is written `ARRAY n OF {self.text[base.span.start : base.span.end]}`")
                self.diagnostics.report("LF0210", designator.span, "this is no type", hint)
            case tree.Field():
                self.diagnostics.report("LF0210", designator.span, "this is no type: write `Type` or `Module.Type`")
        return tree.ErrorTypeNode(designator.span)

    def array_type(self, array: int, lengths: list[tree.Expr], _of: int, element: tree.TypeNode) -> tree.ArrayType:
        return tree.ArrayType(Span(self.source, self.starts[array], element.span.end), lengths, element)

    def record_type(self, record: int, groups: list[tree.FieldGroup], end: int) -> tree.RecordType:
        return tree.RecordType(self._span(record, end), groups)

    def field_group(self, names: list[tree.IdentDef], _colon: int, type_: tree.TypeNode) -> tree.FieldGroup:
        return tree.FieldGroup(names[0].span.to(type_.span), names, type_)

    def enum_type(self, left: int, names: list[tree.Name], right: int) -> tree.EnumType:
        return tree.EnumType(self._span(left, right), names)

    def subrange_type(self, low: tree.Expr, _range: int, high: tree.Expr) -> tree.SubrangeType:
        return tree.SubrangeType(low.span.to(high.span), low, high)

    def channel_type(self, left: int, messages: list[tree.MessageDecl], right: int) -> tree.ChannelType:
        return tree.ChannelType(self._span(left, right), messages)

    def message(self, ident: int) -> tree.MessageDecl:
        name = self.name(ident)
        return tree.MessageDecl(name.span, name, [])

    def message_with_types(self, ident: int, _left: int, types: list[tree.TypeNode], right: int) -> tree.MessageDecl:
        return tree.MessageDecl(self._span(ident, right), self.name(ident), types)

    def error_type(self, token: int) -> tree.ErrorTypeNode:
        return tree.ErrorTypeNode(self._span(token, token))

    # --- statements --------------------------------------------------------------------------------------------------

    def assign(self, target: tree.Expr, _becomes: int, value: tree.Expr) -> tree.Assign:
        return tree.Assign(Span(self.source, target.span.start, value.span.end), target, value)

    def call_statement(self, call: tree.Expr) -> tree.Statement:
        if isinstance(call, tree.ErrorExpr):
            return tree.ErrorStatement(call.span)
        return tree.CallStatement(call.span, call)

    def create(self, keyword: int, call: tree.Expr) -> tree.Create:
        return tree.Create(Span(self.source, self.starts[keyword], call.span.end), call, None)

    def create_deadline(self, keyword: int, call: tree.Expr, _deadline: int, limit: tree.Expr) -> tree.Create:
        return tree.Create(Span(self.source, self.starts[keyword], limit.span.end), call, limit)

    def send(self, port: tree.Expr, _bang: int, message: tree.Name) -> tree.Send:
        return tree.Send(port.span.to(message.span), port, message, [])

    def send_values(
        self, port: tree.Expr, _bang: int, message: tree.Name, _left: int, values: list[tree.Expr], right: int
    ) -> tree.Send:
        return tree.Send(Span(self.source, port.span.start, self.ends[right]), port, message, values)

    def receive(self, port: tree.Expr, _query: int, message: tree.Name) -> tree.Receive:
        return tree.Receive(port.span.to(message.span), port, message, [])

    def receive_targets(
        self, port: tree.Expr, _query: int, message: tree.Name, _left: int, targets: list[tree.Expr], right: int
    ) -> tree.Receive:
        return tree.Receive(Span(self.source, port.span.start, self.ends[right]), port, message, targets)

    def if_statement(
        self,
        keyword: int,
        condition: tree.Expr,
        then: int,
        body: Statements,
        elsifs: list[tree.IfBranch],
        otherwise: Statements | None,
        end: int,
    ) -> tree.If:
        first = self._if_branch(keyword, condition, then, body)
        return tree.If(self._span(keyword, end), [first, *elsifs], otherwise)

    def add_elsif(
        self, elsifs: list[tree.IfBranch], keyword: int, condition: tree.Expr, then: int, body: Statements
    ) -> list[tree.IfBranch]:
        elsifs.append(self._if_branch(keyword, condition, then, body))
        return elsifs

    def _if_branch(self, keyword: int, condition: tree.Expr, then: int, body: Statements) -> tree.IfBranch:
        return tree.IfBranch(self._from(keyword, then, body), condition, body)

    def _from(self, keyword: int, last: int, body: Statements) -> Span:
        """From a keyword to the last statement of what it leads, or else to its last own token."""
        return Span(self.source, self.starts[keyword], body[-1].span.end if body else self.ends[last])

    def case_statement(
        self,
        keyword: int,
        selector: tree.Expr,
        _of: int,
        branches: list[tree.CaseBranch],
        otherwise: Statements | None,
        end: int,
    ) -> tree.Case:
        return tree.Case(self._span(keyword, end), selector, branches, otherwise)

    def case_branch(self, labels: list[tree.CaseLabel], colon: int, body: Statements) -> tree.CaseBranch:
        last = body[-1].span.end if body else self.ends[colon]
        return tree.CaseBranch(Span(self.source, labels[0].span.start, last), labels, body)

    def label(self, value: tree.Expr) -> tree.CaseLabel:
        return tree.CaseLabel(value.span, value, None)

    def label_range(self, low: tree.Expr, _range: int, high: tree.Expr) -> tree.CaseLabel:
        return tree.CaseLabel(low.span.to(high.span), low, high)

    def while_statement(self, keyword: int, condition: tree.Expr, _do: int, body: Statements, end: int) -> tree.While:
        return tree.While(self._span(keyword, end), condition, body)

    def repeat_statement(self, keyword: int, body: Statements, _until: int, until: tree.Expr) -> tree.Repeat:
        return tree.Repeat(Span(self.source, self.starts[keyword], until.span.end), body, until)

    def for_statement(
        self,
        keyword: int,
        variable: tree.Name,
        _becomes: int,
        low: tree.Expr,
        _to: int,
        high: tree.Expr,
        by: tree.Expr | None,
        _do: int,
        body: Statements,
        end: int,
    ) -> tree.For:
        return tree.For(self._span(keyword, end), variable, low, high, by, body)

    def loop_statement(self, keyword: int, body: Statements, end: int) -> tree.Loop:
        return tree.Loop(self._span(keyword, end), body)

    def select_statement(
        self, keyword: int, clauses: list[tree.When], otherwise: Statements | None, end: int
    ) -> tree.Select:
        return tree.Select(self._span(keyword, end), clauses, otherwise)

    def clause(
        self, keyword: int, event: tree.Send | tree.Receive | tree.After, then: int, body: Statements
    ) -> tree.When:
        return tree.When(self._from(keyword, then, body), event, None, body)

    def guarded_clause(
        self,
        keyword: int,
        event: tree.Send | tree.Receive | tree.After,
        _and: int,
        _left: int,
        guard: tree.Expr,
        _right: int,
        then: int,
        body: Statements,
    ) -> tree.When:
        return tree.When(self._from(keyword, then, body), event, guard, body)

    def after(self, callee: tree.Expr, left: int, arguments: list[tree.Expr], right: int) -> tree.After:
        call = self.call(callee, left, arguments, right)
        return tree.After(call.span, call)

    def choice_statement(self, keyword: int, branches: list[tree.ChoiceBranch], end: int) -> tree.Choice:
        # A branch has the place of its statements; an empty one lies where they would be.
        place = self.ends[keyword]
        for branch in branches:
            if branch.body:
                branch.span = branch.body[0].span.to(branch.body[-1].span)
            else:
                branch.span = Span(self.source, max(place, branch.span.start), max(place, branch.span.end))
            place = branch.span.end
        return tree.Choice(self._span(keyword, end), branches)

    def one_branch(self, body: Statements) -> list[tree.ChoiceBranch]:
        return [tree.ChoiceBranch(Span(self.source, 0, 0), body)]

    def add_branch(
        self, branches: list[tree.ChoiceBranch], separator: int, body: Statements
    ) -> list[tree.ChoiceBranch]:
        end = self.ends[separator]
        branches.append(tree.ChoiceBranch(Span(self.source, end, end), body))
        return branches

    def exit_statement(self, keyword: int) -> tree.Exit:
        return tree.Exit(self._span(keyword, keyword))

    def return_statement(self, keyword: int) -> tree.Return:
        return tree.Return(self._span(keyword, keyword))

    def reschedule_statement(self, keyword: int) -> tree.Reschedule:
        return tree.Reschedule(self._span(keyword, keyword))

    def accept_statement(self, keyword: int) -> tree.Accept:
        return tree.Accept(self._span(keyword, keyword))

    def nomove_statement(self, keyword: int) -> tree.NoMove:
        return tree.NoMove(self._span(keyword, keyword))

    def error_statement(self, token: int) -> tree.ErrorStatement:
        return tree.ErrorStatement(self._span(token, token))

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

    def paren(self, left: int, inner: tree.Expr, right: int) -> tree.Paren:
        return tree.Paren(self._span(left, right), inner)

    def integer(self, token: int) -> tree.Expr:
        span = self._span(token, token)
        text = self._word(token)
        if token in self.tokens.reported:
            return tree.ErrorExpr(span)
        return tree.IntLit(span, number_value(text), text)

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

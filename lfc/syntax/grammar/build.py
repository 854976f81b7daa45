"""Makes tree nodes: one method for each `-> act` of the grammar; here those of modules, declarations and types.

A method gets the values of its production's symbols: the number of a token for a terminal, for the rest what other
methods made. The text of a token that recovery wrote is empty, so a missing name is the name "".
"""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Fix, Note
from lfc.syntax.grammar import tree
from lfc.syntax.grammar.build_statements import StatementBuilder, Statements
from lfc.syntax.grammar.terminals import SPELLING

Formals = list[tree.Formal] | None


class Builder(StatementBuilder):
    # --- modules -----------------------------------------------------------------------------------------------------

    def module(
        self,
        environment: int | None,
        keyword: int,
        ident: int,
        tags: list[tree.Name],
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
            span,
            self.source,
            environment is not None,
            name,
            imports,
            declarations,
            body,
            closed_by,
            self.comments(),
            requirements=tags,
        )

    def monitor(
        self,
        keyword: int,
        ident: int,
        beside: tree.Name | None,
        _semicolon: int,
        imports: list[tree.Import],
        declarations: list[tree.Decl],
        handlers: list[tree.Handler],
        _end: int,
        closing: int,
        last: int,
    ) -> tree.Module:
        name = self.name(ident)
        closed_by = self._closing("monitor", name, closing)
        rest = (name, imports, declarations, None, closed_by, self.comments())
        return tree.Module(self._span(keyword, last), self.source, False, *rest, beside, handlers)

    def handler(self, keyword: int, occasions: list[tree.Occasion], _do: int, statements: Statements) -> tree.Handler:
        end = statements[-1].span.end if statements else occasions[-1].span.end
        return tree.Handler(Span(self.source, self.starts[keyword], end), occasions, statements)

    def final_handler(self, keyword: int, end: int, statements: Statements) -> tree.Handler:
        last = statements[-1].span.end if statements else self.ends[end]
        return tree.Handler(Span(self.source, self.starts[keyword], last), [], statements)

    def occasion(self, what: tree.Expr) -> tree.Occasion:
        return tree.Occasion(what.span, what, None, False)

    def occasion_with_values(self, what: tree.Expr, _open: int, values: list[tree.Expr], close: int) -> tree.Occasion:
        return tree.Occasion(Span(self.source, what.span.start, self.ends[close]), what, values, False)

    def occasion_of_return(self, keyword: int, what: tree.Expr) -> tree.Occasion:
        return tree.Occasion(Span(self.source, self.starts[keyword], what.span.end), what, None, True)

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
        return tree.ConstDecl(name.span.to(value.span), name, None, value)

    def typed_constant(
        self, name: tree.IdentDef, _colon: int, type_: tree.TypeNode, _equal: int, value: tree.Expr
    ) -> tree.ConstDecl:
        return tree.ConstDecl(name.span.to(value.span), name, type_, value)

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

    def variable_nonatomic(
        self,
        names: list[tree.IdentDef],
        _nonatomic: int,
        _colon: int,
        type_: tree.TypeNode,
        initial: tree.Expr | None,
    ) -> tree.VarDecl:
        return self._variable(names, None, True, type_, initial)

    def _variable(
        self,
        names: list[tree.IdentDef],
        address: tree.Expr | None,
        nonatomic: bool,
        type_: tree.TypeNode,
        initial: tree.Expr | None,
    ) -> tree.VarDecl:
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

    def assumption_range(
        self, of: tree.Expr, _in: int, low: tree.Expr, _range: int, high: tree.Expr
    ) -> tree.AssumptionDecl:
        return tree.AssumptionDecl(of.span.to(high.span), of, low, high)

    def assumption_characters(self, of: tree.Expr, _in: int, characters: tree.Expr) -> tree.AssumptionDecl:
        return tree.AssumptionDecl(of.span.to(characters.span), of, characters, None)

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
        return tree.ProcessDecl(span, name, formals or [], parens, attributes, None, [], declarations, body, closed_by)

    def external_process(
        self,
        keyword: int,
        name: tree.IdentDef,
        formals: Formals,
        attributes: list[tree.Attribute],
        external: int,
        more: list[tree.Attribute],
        effects: list[tree.Effect],
        last: int,
    ) -> tree.ProcessDecl:
        marks = [*attributes, self.attribute_mark(external), *more]
        span = self._span(keyword, last)
        return tree.ProcessDecl(span, name, formals or [], formals is not None, marks, None, effects, [], None, None)

    def procedure(
        self,
        keyword: int,
        name: tree.IdentDef,
        formals: Formals,
        result: tree.TypeNode | None,
        effects: list[tree.Effect],
        _semicolon: int,
        declarations: list[tree.Decl],
        body: Statements | None,
        _end: int,
        closing: int,
        _last: int,
    ) -> tree.ProcessDecl:
        closed_by = self._closing("procedure", name, closing)
        span, parens = self._span(keyword, closing), formals is not None
        return tree.ProcessDecl(
            span, name, formals or [], parens, [], result, effects, declarations, body, closed_by, is_procedure=True
        )

    def effect(self, keyword: int, names: list[tree.Name]) -> tree.Effect:
        span = Span(self.source, self.starts[keyword], names[-1].span.end)
        return tree.Effect(span, SPELLING[self.kinds[keyword]], names)

    def empty_formals(self, _left: int, _right: int) -> list[tree.Formal]:
        return []

    def value_formal(
        self, names: list[tree.Name], _colon: int, type_: tree.TypeNode, direction: int | None
    ) -> tree.Formal:
        return self._directed(tree.Formal(names[0].span.to(type_.span), False, names, type_), direction)

    def var_formal(
        self, var: int, names: list[tree.Name], _colon: int, type_: tree.TypeNode, direction: int | None
    ) -> tree.Formal:
        span = Span(self.source, self.starts[var], type_.span.end)
        return self._directed(tree.Formal(span, True, names, type_), direction)

    def _directed(self, formal: tree.Formal, direction: int | None) -> tree.Formal:
        if direction is not None:
            formal.direction, formal.mark = SPELLING[self.kinds[direction]], self._span(direction, direction)
            formal.span = formal.span.to(formal.mark)
        return formal

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
        tags: list[tree.Name],
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
        return tree.PropertyDecl(self._span(keyword, closing), name, declarations, body, None, closed_by, tags)

    def property_formula(
        self, keyword: int, ident: int, tags: list[tree.Name], _equal: int, formula: tree.Expr, _semicolon: int
    ) -> tree.PropertyDecl:
        span = Span(self.source, self.starts[keyword], formula.span.end)
        return tree.PropertyDecl(span, self.name(ident), [], None, formula, None, tags)

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

    def fixed_type(self, low: tree.Expr, _range: int, high: tree.Expr, _by: int, step: tree.Expr) -> tree.FixedType:
        return tree.FixedType(low.span.to(step.span), low, high, step)

    def channel_type(self, left: int, messages: list[tree.MessageDecl], right: int) -> tree.ChannelType:
        return tree.ChannelType(self._span(left, right), messages)

    def message(self, ident: int) -> tree.MessageDecl:
        name = self.name(ident)
        return tree.MessageDecl(name.span, name, [])

    def message_with_types(self, ident: int, _left: int, types: list[tree.TypeNode], right: int) -> tree.MessageDecl:
        return tree.MessageDecl(self._span(ident, right), self.name(ident), types)

    def error_type(self, token: int) -> tree.ErrorTypeNode:
        return tree.ErrorTypeNode(self._span(token, token))

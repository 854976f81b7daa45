"""Makes tree nodes of statements; what build.py says holds here too."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.syntax.grammar import tree
from lfc.syntax.grammar.build_expressions import ExpressionBuilder
from lfc.syntax.grammar.terminals import SPELLING

Statements = list[tree.Statement]


class StatementBuilder(ExpressionBuilder):
    def assign(self, target: tree.Expr, _becomes: int, value: tree.Expr) -> tree.Assign:
        return tree.Assign(Span(self.source, target.span.start, value.span.end), target, value)

    def call_statement(self, call: tree.Expr) -> tree.Statement:
        if isinstance(call, tree.ErrorExpr):
            return tree.ErrorStatement(call.span)
        return tree.CallStatement(call.span, call)

    def tags(self, _open: int, kind: int, _colon: int, found: list[tree.Name], _close: int) -> list[tree.Name]:
        """`{REQ: SYS-12}`: requirements that a property, an assertion or a module is for."""
        word = self.name(kind)
        if word.text != "REQ":
            note = Note("requirements are named as in `{REQ: SYS-12, SYS-13}`")
            self.diagnostics.report("LF0203", word.span, f"`{word.text}` stands in place of `REQ`", note)
        return found

    def longer_tag(self, before: tree.Name, _minus: int, part: int) -> tree.Name:
        text = self.text[self.starts[part] : self.ends[part]]
        return tree.Name(Span(self.source, before.span.start, self.ends[part]), f"{before.text}-{text}")

    # --- types -------------------------------------------------------------------------------------------------------

    def tagged_call(
        self, call: tree.Expr, left: int, kind: int, colon: int, found: list[tree.Name], right: int
    ) -> tree.Statement:
        named = self.tags(left, kind, colon, found, right)
        if isinstance(call, tree.ErrorExpr):
            return tree.ErrorStatement(call.span)
        return tree.TaggedCall(Span(self.source, call.span.start, self.ends[right]), call, named)

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

    def fairness(self, keyword: int, live: int | None = None) -> str:
        return SPELLING[self.kinds[keyword]] + (" LIVE" if live is not None else "")

    def fair_communication(self, meeting: tree.Send | tree.Receive, mark: str) -> tree.Send | tree.Receive:
        meeting.fairness = mark
        return meeting

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
        return tree.For(self._span(keyword, end), variable, None, low, high, by, body)

    def for_var_statement(
        self,
        keyword: int,
        _var: int,
        variable: tree.Name,
        type_: tree.TypeNode | None,
        _becomes: int,
        low: tree.Expr,
        _to: int,
        high: tree.Expr,
        by: tree.Expr | None,
        _do: int,
        body: Statements,
        end: int,
    ) -> tree.For:
        return tree.For(self._span(keyword, end), variable, type_, low, high, by, body, True)

    def named_loop(self, ident: int, _colon: int, loop: tree.Statement) -> tree.NamedLoop:
        return tree.NamedLoop(Span(self.source, self.starts[ident], loop.span.end), self.name(ident), loop)

    def exit_of_named(self, keyword: int, label: tree.Name) -> tree.Exit:
        return tree.Exit(Span(self.source, self.starts[keyword], label.span.end), label)

    def loop_statement(self, keyword: int, body: Statements, end: int) -> tree.Loop:
        return tree.Loop(self._span(keyword, end), body)

    def select_statement(
        self, keyword: int, clauses: list[tree.When], otherwise: Statements | None, end: int
    ) -> tree.Select:
        return tree.Select(self._span(keyword, end), clauses, otherwise)

    def clause(
        self, keyword: int, event: tree.Send | tree.Receive | tree.After, then: int, body: Statements
    ) -> tree.When:
        return tree.When(self._from(keyword, then, body), None, event, None, body)

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
        return tree.When(self._from(keyword, then, body), None, event, guard, body)

    def replica(
        self, keyword: int, variable: tree.Name, _in: int, low: tree.Expr, _range: int, high: tree.Expr, colon: int
    ) -> tree.Replica:
        return tree.Replica(self._span(keyword, colon), variable, low, high)

    def replicated_clause(
        self,
        keyword: int,
        replica: tree.Replica,
        event: tree.Send | tree.Receive | tree.After,
        then: int,
        body: Statements,
    ) -> tree.When:
        return tree.When(self._from(keyword, then, body), replica, event, None, body)

    def guarded_replicated_clause(
        self,
        keyword: int,
        replica: tree.Replica,
        event: tree.Send | tree.Receive | tree.After,
        _and: int,
        _left: int,
        guard: tree.Expr,
        _right: int,
        then: int,
        body: Statements,
    ) -> tree.When:
        return tree.When(self._from(keyword, then, body), replica, event, guard, body)

    def after(self, callee: tree.Expr, left: int, arguments: list[tree.Expr], right: int) -> tree.After:
        call = self.call(callee, left, arguments, right)
        return tree.After(call.span, call)

    def choice_statement(
        self, keyword: int, branches: list[tree.ChoiceBranch], end: int, mark: int | None = None
    ) -> tree.Choice:
        # A branch has the place of its level and statements; an empty one lies where they would be.
        place = self.ends[keyword if mark is None else mark]
        for branch in branches:
            if branch.body:
                branch.span = branch.body[0].span.to(branch.body[-1].span)
            else:
                branch.span = Span(self.source, max(place, branch.span.start), max(place, branch.span.end))
            if branch.level is not None:
                branch.span = branch.level.span.to(branch.span) if branch.body else branch.level.span
            place = branch.span.end
        fairness = None if mark is None else self.fairness(mark)
        return tree.Choice(self._span(keyword, end), branches, fairness)

    def fair_choice(self, keyword: int, mark: int, branches: list[tree.ChoiceBranch], end: int) -> tree.Choice:
        return self.choice_statement(keyword, branches, end, mark)

    def one_branch(self, level: tree.Name | None, body: Statements) -> list[tree.ChoiceBranch]:
        return [tree.ChoiceBranch(Span(self.source, 0, 0), body, level)]

    def add_branch(
        self, branches: list[tree.ChoiceBranch], separator: int, level: tree.Name | None, body: Statements
    ) -> list[tree.ChoiceBranch]:
        end = self.ends[separator]
        branches.append(tree.ChoiceBranch(Span(self.source, end, end), body, level))
        return branches

    def exit_statement(self, keyword: int) -> tree.Exit:
        return tree.Exit(self._span(keyword, keyword))

    def return_statement(self, keyword: int) -> tree.Return:
        return tree.Return(self._span(keyword, keyword))

    def return_value(self, keyword: int, value: tree.Expr) -> tree.Return:
        return tree.Return(Span(self.source, self.starts[keyword], value.span.end), value)

    def reschedule_statement(self, keyword: int) -> tree.Reschedule:
        return tree.Reschedule(self._span(keyword, keyword))

    def accept_statement(self, keyword: int) -> tree.Accept:
        return tree.Accept(self._span(keyword, keyword))

    def nomove_statement(self, keyword: int) -> tree.NoMove:
        return tree.NoMove(self._span(keyword, keyword))

    def error_statement(self, token: int) -> tree.ErrorStatement:
        return tree.ErrorStatement(self._span(token, token))

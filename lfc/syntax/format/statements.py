"""Documents of statements. What was on one line stays there if it fits."""

from __future__ import annotations

from lfc.syntax.format.document import SPACE, Document, Group, Indent, Line, Word, anchor
from lfc.syntax.format.types import TypeForms
from lfc.syntax.format.words import CONTINUED, NESTED, in_brackets, listed, name, on_one_line, same_line, spaced, tagged
from lfc.syntax.grammar import tree


class StatementForms(TypeForms):
    def sequence(self, body: list[tree.Statement]) -> list[Document]:
        """Each statement on a line of its own, but simple ones that shared a line; a line ends before the first one."""
        found: list[Document] = []
        before: tree.Statement | None = None
        for statement in body:
            document = self.statement(statement)
            if before is None:
                found += [Line(), document]
            elif _is_simple(before) and _is_simple(statement) and same_line(before, statement):
                found += [Word(";"), Group([Line(), document])]
            else:
                found += [Word(";"), Line(keeps_blank=True), document]
            before = statement
        return found

    def body(self, body: list[tree.Statement], closing: Word) -> Document:
        """`closing`: the word after it, whose comments may belong to this body."""
        return Indent(NESTED, [*self.sequence(body), _end_of_body(closing)])

    def statement(self, s: tree.Statement) -> Document:
        match s:
            case tree.Assign():
                return spaced(self.expression(s.target), Word(":="), Indent(CONTINUED, self.expression(s.value)))
            case tree.TaggedCall():
                return tagged(self.expression(s.call), s.requirements)
            case tree.CallStatement():
                return self.expression(s.call)
            case tree.Create():
                deadline = [] if s.deadline is None else [Word("DEADLINE"), self._continued(s.deadline)]
                return spaced(Word("CREATE"), self.expression(s.call), *deadline)
            case tree.Send():
                return self._marked(s, self._communication(s.port, "!", s.message, s.values))
            case tree.Receive():
                return self._marked(s, self._communication(s.port, "?", s.message, s.targets))
            case tree.If():
                return self._if(s)
            case tree.Case():
                return self._case(s)
            case tree.While():
                head = spaced(Word("WHILE"), self._continued(s.condition), Word("DO"))
                return self._block(s, head, s.body)
            case tree.Repeat():
                until = Word("UNTIL")
                repeated: list[Document] = [Word("REPEAT"), self.body(s.body, until), Line(), until, SPACE]
                return Group([*repeated, self._continued(s.until)], not on_one_line(s.span))
            case tree.For():
                return self._block(s, self._for_head(s), s.body)
            case tree.Loop():
                return self._block(s, Word("LOOP"), s.body)
            case tree.Select():
                return self._select(s)
            case tree.Choice():
                return self._choice(s)
            case tree.Exit():
                return Word("EXIT") if s.label is None else spaced(Word("EXIT"), name(s.label))
            case tree.NamedLoop():
                return [name(s.label), Word(":"), SPACE, self.statement(s.loop)]
            case tree.Return():
                return Word("RETURN") if s.value is None else spaced(Word("RETURN"), self._continued(s.value))
            case tree.Reschedule():
                return Word("RESCHEDULE")
            case tree.Accept():
                return Word("ACCEPT")
            case tree.NoMove():
                return Word("NOMOVE")
        raise TypeError(f"no layout for {type(s).__name__}")

    def _continued(self, e: tree.Expr) -> Document:
        return Indent(CONTINUED, self.expression(e))

    def _communication(self, port: tree.Expr, sign: str, message: tree.Name, items: list[tree.Expr]) -> Document:
        values = [self.in_brackets("(", items, ")")] if items else []
        return [self.expression(port), Word(sign), name(message), *values]

    def _marked(self, s: tree.Send | tree.Receive, communication: Document) -> Document:
        return spaced(communication, *(Word(word) for word in (s.fairness or "").split()))

    def _block(self, s: tree.Statement, head: Document, body: list[tree.Statement]) -> Document:
        end = Word("END")
        return Group([head, self.body(body, end), Line(), end], not on_one_line(s.span))

    def _for_head(self, s: tree.For) -> Document:
        by = [] if s.by is None else [Word("BY"), self._continued(s.by)]
        return spaced(
            Word("FOR"),
            *([Word("VAR")] if s.declares else []),
            name(s.variable),
            *([] if s.type is None else [Word(":"), self.type(s.type)]),
            Word(":="),
            self._continued(s.low),
            Word("TO"),
            self._continued(s.high),
            *by,
            Word("DO"),
        )

    def _if(self, s: tree.If) -> Document:
        end = Word("END")
        keywords = [Word("IF"), *(Word("ELSIF") for _ in s.branches[1:])]
        otherwise = None if s.otherwise is None else Word("ELSE")
        found: list[Document] = []
        for keyword, branch, closing in zip(keywords, s.branches, [*keywords[1:], otherwise or end], strict=True):
            if found:
                found.append(Line())
            found.append(spaced(keyword, self._continued(branch.condition), Word("THEN")))
            found.append(self.body(branch.body, closing))
        return Group([*found, *self._otherwise(otherwise, s.otherwise, end), Line(), end], not on_one_line(s.span))

    def _otherwise(self, keyword: Word | None, body: list[tree.Statement] | None, end: Word) -> list[Document]:
        return [] if keyword is None or body is None else [Line(), keyword, self.body(body, end)]

    def _case(self, s: tree.Case) -> Document:
        end = Word("END")
        otherwise = None if s.otherwise is None else Word("ELSE")
        bars = [Word("|") for _ in s.branches[1:]]
        count = len(s.branches)  # there may be none
        found: list[Document] = [spaced(Word("CASE"), self._continued(s.selector), Word("OF"))]
        around = zip([None, *bars][:count], s.branches, [*bars, otherwise or end][:count], strict=True)
        for bar, branch, closing in around:
            labels = listed([self.range(label.low, label.high) for label in branch.labels])
            body = Indent(2 * NESTED, self.sequence(branch.body))
            if bar is None:
                found.append(Indent(NESTED, Line()))
            else:
                found.append(Indent(NESTED, [Line(keeps_blank=True), bar, SPACE]))
            found.append(Group([Indent(CONTINUED, labels), Word(":"), body], not on_one_line(branch.span)))
            found.append(Indent(2 * NESTED, _end_of_body(closing)))
        return Group([*found, *self._otherwise(otherwise, s.otherwise, end), Line(), end], not on_one_line(s.span))

    def _select(self, s: tree.Select) -> Document:
        end = Word("END")
        otherwise = None if s.otherwise is None else Word("ELSE")
        keywords = [Word("WHEN") for _ in s.clauses]
        clauses: list[Document] = []
        for keyword, clause, closing in zip(keywords, s.clauses, [*keywords[1:], otherwise or end], strict=True):
            clauses.append(Line(keeps_blank=bool(clauses)))
            body = Indent(NESTED, self.sequence(clause.body))
            clauses.append(Group([self._when(keyword, clause), body], not on_one_line(clause.span)))
            clauses.append(Indent(NESTED, _end_of_body(closing)))
        return Group(
            [
                Word("SELECT"),
                Indent(NESTED, clauses),
                *self._otherwise(otherwise, s.otherwise, end),
                Line(),
                end,
            ],
            not on_one_line(s.span),
        )

    def _when(self, keyword: Word, clause: tree.When) -> Document:
        event: Document
        if isinstance(clause.event, tree.After):
            event = self.expression(clause.event.call)
        else:
            event = self.statement(clause.event)
        if clause.replica is not None:
            r = clause.replica
            bounds = Indent(CONTINUED, self.range(r.low, r.high))
            event = [spaced(Word("FOR"), name(r.variable), Word("IN"), bounds, Word(":")), SPACE, event]
        guard: list[Document] = []
        if clause.guard is not None:
            inside = in_brackets("(", [self.expression(clause.guard)], ")")
            guard = [SPACE, Word("&"), Indent(CONTINUED, Group([Line(), inside]))]
        return [keyword, SPACE, Indent(CONTINUED, event), *guard, SPACE, Word("THEN")]

    def _choice(self, s: tree.Choice) -> Document:
        """OR begins a line, or it would be the operator; on one line the bar says it."""
        end = Word("END")
        separators = [Word("OR", flat_text="|", also_written=("|",)) for _ in s.branches[1:]]
        found: list[Document] = [Word("CHOICE")]
        if s.fairness is not None:
            found += [SPACE, Word(s.fairness)]
        for separator, branch, closing in zip([None, *separators], s.branches, [*separators, end], strict=True):
            if separator is not None:
                found += [Line(), separator]
            if branch.level is not None:
                found += [SPACE, Word("{"), Word(branch.level.text), Word("}")]
            found.append(self.body(branch.body, closing))
        return Group([*found, Line(), end], not on_one_line(s.span))


def _end_of_body(closing: Word) -> Word:
    """Comments before END or UNTIL belong to the body; before ELSE, WHEN, OR and bars those indented deeper."""
    closing.closes = anchor()
    closing.closes_deeper = closing.text not in ("END", "UNTIL")
    return closing.closes


def _is_simple(s: tree.Statement) -> bool:
    return not isinstance(
        s,
        tree.If
        | tree.Case
        | tree.While
        | tree.Repeat
        | tree.For
        | tree.Loop
        | tree.NamedLoop
        | tree.Select
        | tree.Choice,
    )

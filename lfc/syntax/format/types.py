"""Documents of types."""

from __future__ import annotations

from lfc.syntax.format.document import Document, Group, Indent, Line, Word, anchor
from lfc.syntax.format.expressions import ExpressionForms
from lfc.syntax.format.words import CONTINUED, NESTED, in_brackets, listed, name, on_one_line, spaced
from lfc.syntax.grammar import tree


class TypeForms(ExpressionForms):
    def type(self, t: tree.TypeNode) -> Document:
        match t:
            case tree.NamedType():
                return name(t.name) if t.module is None else [name(t.module), Word("."), name(t.name)]
            case tree.ArrayType():
                lengths = [Indent(CONTINUED, listed([self.expression(x) for x in t.lengths]))] if t.lengths else []
                return spaced(Word("ARRAY"), *lengths, Word("OF"), self.type(t.element))
            case tree.RecordType():
                return self._record(t)
            case tree.EnumType():
                return in_brackets("(", [name(n) for n in t.names], ")")
            case tree.SubrangeType():
                return self.range(t.low, t.high)
            case tree.FixedType():
                return spaced(self.range(t.low, t.high), Word("BY"), self.expression(t.step))
            case tree.ChannelType():
                return in_brackets("[", [self._message(m) for m in t.messages], "]")
        raise TypeError(f"no layout for {type(t).__name__}")

    def typed(self, names: list[tree.IdentDef] | list[tree.Name], t: tree.TypeNode) -> Document:
        """a, b : T"""
        return spaced(Indent(CONTINUED, listed([name(n) for n in names])), Word(":"), self.type(t))

    def _record(self, t: tree.RecordType) -> Document:
        closing = Word("END")
        body: list[Document] = []
        for group in t.groups:
            if body:
                body.append(Word(";"))
            body.append(Line(keeps_blank=bool(body)))
            body.append(self.typed(group.names, group.type))
        end = anchor()
        closing.closes = end
        return Group([Word("RECORD"), Indent(NESTED, [body, end]), Line(), closing], not on_one_line(t.span))

    def _message(self, m: tree.MessageDecl) -> Document:
        if not m.types:
            return name(m.name)
        return [name(m.name), in_brackets("(", [self.type(t) for t in m.types], ")")]

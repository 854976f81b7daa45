"""Documents of declarations and modules."""

from __future__ import annotations

from lfc.syntax.format.document import SPACE, Document, Group, Indent, Line, Word, anchor
from lfc.syntax.format.statements import StatementForms
from lfc.syntax.format.words import CONTINUED, NESTED, in_brackets, listed, name, on_one_line, same_line, spaced, tagged
from lfc.syntax.grammar import tree


class DeclarationForms(StatementForms):
    def module(self, m: tree.Module) -> Document:
        if m.handlers is not None:
            return self._monitor(m, m.handlers)
        head: list[Document] = [Word("MODULE"), name(m.name)]
        if m.environment:
            head.insert(0, Word("ENVIRONMENT"))
        found: list[Document] = [tagged(spaced(*head), m.requirements), Word(";"), *self._imports(m)]
        found += [self._declarations(m.declarations), self._body(m.body, m.name, m.closing)]
        return [*found, Word(".", also_written=(";",))]

    def _imports(self, m: tree.Module) -> list[Document]:
        if not m.imports:
            return []
        imports = [self._import(i) for i in m.imports]
        return [_line(), Word("IMPORT"), SPACE, Indent(CONTINUED, listed(imports)), Word(";")]

    def _monitor(self, m: tree.Module, handlers: list[tree.Handler]) -> Document:
        head: list[Document] = [Word("MONITOR"), name(m.name)]
        if m.beside is not None:
            head += [Word("OF"), name(m.beside)]
        found: list[Document] = [spaced(*head), Word(";"), *self._imports(m), self._declarations(m.declarations)]
        for h in handlers:
            found += [_line(), self._handler(h)]
        return [*found, self._body(None, m.name, m.closing), Word(".", also_written=(";",))]

    def _handler(self, h: tree.Handler) -> Document:
        if h.occasions:
            occasions = listed([self._occasion(o) for o in h.occasions])
            head = spaced(Word("ON"), Indent(CONTINUED, occasions), Word("DO"))
        else:
            head = spaced(Word("AT"), Word("END"))
        return [head, Indent(NESTED, self.sequence(h.body))]

    def _occasion(self, o: tree.Occasion) -> Document:
        what: Document = self.expression(o.what)
        if o.returns:
            what = spaced(Word("RETURN"), what)
        if o.values is not None:
            return [what, in_brackets("(", [self.expression(v) for v in o.values], ")")]
        return what

    def _import(self, i: tree.Import) -> Document:
        # Without an alias both names are the same occurrence.
        if i.alias.span.start == i.module.span.start and i.alias.text == i.module.text:
            return name(i.module)
        return spaced(name(i.alias), Word(":="), name(i.module))

    def _declarations(self, declarations: list[tree.Decl]) -> list[Document]:
        found: list[Document] = []
        for d in declarations:
            found.append(_line())
            if isinstance(d, tree.Section):
                found.append(self._section(d))
            elif isinstance(d, tree.ProcessDecl):
                found.append(self._process(d))
            elif isinstance(d, tree.PropertyDecl):
                found.append(self._property(d))
            else:
                raise TypeError(f"no layout for {type(d).__name__}")
        return found

    def _section(self, section: tree.Section) -> Document:
        """One declaration may follow its keyword, several if all were on one line. What shared a line still does."""
        keyword = Word(section.keyword)
        declarations = list(section.declarations)
        if not declarations:
            return keyword
        if len(declarations) == 1:
            between = section.span.source.text[section.span.start : declarations[0].span.start]
            if "\n" not in between:
                return [keyword, SPACE, self._declaration(declarations[0]), Word(";")]
        found: list[Document] = []
        before: tree.Decl | None = None
        for d in declarations:
            document = self._declaration(d)
            if before is not None and same_line(before, d):
                found += [Group([Line(), document]), Word(";")]
            else:
                found += [Line(keeps_blank=before is not None), document, Word(";")]
            before = d
        return Group([keyword, Indent(NESTED, found)], not on_one_line(section.span) or len(declarations) == 1)

    def _declaration(self, d: tree.Decl) -> Document:
        match d:
            case tree.ConstDecl():
                stated: list[Document] = [] if d.type is None else [Word(":"), self.type(d.type)]
                return spaced(name(d.name), *stated, Word("="), Indent(CONTINUED, self.expression(d.value)))
            case tree.TypeDecl():
                return spaced(name(d.name), Word("="), self.type(d.type))
            case tree.VarDecl():
                return self._variables(d)
            case tree.PortDecl():
                most: list[Document] = [] if d.max is None else [Word("MAX"), Indent(CONTINUED, self.expression(d.max))]
                return spaced(self.typed(d.names, d.type), *most)
            case tree.AssumptionDecl():
                return spaced(self.expression(d.of), Word("IN"), Indent(CONTINUED, self._bounds(d)))
        raise TypeError(f"no layout for {type(d).__name__}")

    def _bounds(self, d: tree.AssumptionDecl) -> Document:
        if d.high is None:
            return self.expression(d.low)
        return spaced(self.expression(d.low), Word(".."), self.expression(d.high))

    def _variables(self, d: tree.VarDecl) -> Document:
        if d.initial is None:
            return self._without_value(d)
        return spaced(self._without_value(d), Word(":="), Indent(CONTINUED, self.expression(d.initial)))

    def _without_value(self, d: tree.VarDecl) -> Document:
        if d.address is None and not d.nonatomic:
            return self.typed(d.names, d.type)
        mark = [Word("NONATOMIC")] if d.nonatomic else []
        names = Indent(CONTINUED, listed([name(n) for n in d.names]))
        if d.address is None:
            return spaced(names, *mark, Word(":"), self.type(d.type))
        address = Indent(CONTINUED, self.expression(d.address))
        return spaced(names, Word("AT"), address, *mark, Word(":"), self.type(d.type))

    def _process(self, p: tree.ProcessDecl) -> Document:
        head: list[Document] = [Word("PROCEDURE" if p.is_procedure else "PROCESS"), SPACE, name(p.name)]
        if p.formals or p.has_parens:
            head.append(in_brackets("(", [self._formal(f) for f in p.formals], ")", separator=";"))
        if p.result is not None:
            head += [SPACE, Word(":"), SPACE, self.type(p.result)]
        for attribute in p.attributes:
            head += [SPACE, Word(attribute.keyword)]
            if attribute.value is not None:
                head += [SPACE, Indent(CONTINUED, self.expression(attribute.value))]
        for effect in p.effects:
            names = Indent(CONTINUED, listed([name(n) for n in effect.names]))
            head += [SPACE, Word(effect.keyword), SPACE, names]
        head.append(Word(";"))
        if any(a.keyword == "EXTERNAL" for a in p.attributes):
            return head  # it has no text of its own
        declarations = self._inside(p.declarations)
        return [head, declarations, self._body(p.body, p.name, p.closing), Word(";")]

    def _formal(self, f: tree.Formal) -> Document:
        formal = self.typed(f.names, f.type)
        if f.direction:
            formal = [formal, Word(f.direction)]
        return spaced(Word("VAR"), formal) if f.is_var else formal

    def _property(self, p: tree.PropertyDecl) -> Document:
        head = spaced(Word("PROPERTY"), name(p.name))
        head = tagged(head, p.requirements)
        if p.formula is not None:
            return [head, SPACE, Word("="), SPACE, Indent(CONTINUED, self.expression(p.formula)), Word(";")]
        declarations = self._inside(p.declarations)
        return [head, Word(";"), declarations, self._body(p.body, p.name, p.closing), Word(";")]

    def _inside(self, declarations: list[tree.Decl]) -> list[Document]:
        """Of a process: sections stand below its keyword, nested processes are indented."""
        found: list[Document] = []
        for d in declarations:
            document = self._declarations([d])
            found.append(Indent(NESTED, document) if isinstance(d, tree.ProcessDecl) else document)
        return found

    def _body(
        self, body: list[tree.Statement] | None, declared: tree.Name | tree.IdentDef, closing: tree.Name | None
    ) -> Document:
        end = Word("END", closes=anchor())
        assert end.closes is not None
        found: list[Document] = []
        if body is not None:
            found = [_line(), Word("BEGIN")]
        found.append(Indent(NESTED, [*self.sequence(body or []), end.closes]))
        # Sloppy programs close with another name, or none.
        name_at = -1 if closing is None else closing.span.start
        also = () if closing is None or closing.text == declared.text else (closing.text,)
        return [
            found,
            Line(keeps_blank=body is None, hard=True),
            end,
            SPACE,
            Word(declared.text, name_at, also_written=also),
        ]


def _line() -> Line:
    return Line(keeps_blank=True, hard=True)

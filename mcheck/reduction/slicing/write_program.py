"""A slice as text that is a program again: what has left is cut out, and values that do not matter are constants."""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.actions.analysis.may_fault import first_of
from lfc.base.library_folder import LIBRARY
from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.format_files import format_source
from lfc.mcheck.reduction.slicing.dependence import Kept
from lfc.mcheck.reduction.slicing.show import (
    declared_together,
    end_of_declaration,
    end_with_semicolon,
    is_hidden,
    take_process,
    take_property,
)
from lfc.mcheck.reduction.slicing.sliced_program import is_parameter
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import (
    BooleanType,
    CharType,
    EnumerationType,
    FixedType,
    SetType,
    SubrangeType,
    Type,
    steps_text,
)
from lfc.semantics.model.visit import bodies, expressions_of, functions_called, statements


class NotWritten(Exception):
    """The slice has no text that is a program."""


@dataclass(slots=True)
class Cut:
    """One file: by place, what is written instead."""

    source: Source
    edits: list[tuple[int, int, str]] = field(default_factory=list)

    def take(self, start: int, end: int, instead: str = "") -> None:
        self.edits.append((start, end, instead))

    def text(self) -> str:
        out, at = [], 0
        for start, end, instead in self.pieces():
            if not instead:
                start, end = self.whole_lines(start, end)
            out += [self.source.text[at:start], instead]
            at = end
        return "".join([*out, self.source.text[at:]])

    def pieces(self) -> list[tuple[int, int, str]]:
        """In order. An inner one goes with the outer one; two with nothing but space between them are one."""
        found: list[tuple[int, int, str]] = []
        for start, end, instead in sorted(self.edits, key=lambda e: (e[0], -e[1])):
            last = found[-1] if found else (0, 0, "-")
            if end <= last[1]:
                continue
            if not last[2] and not instead and not self.source.text[last[1] : start].strip():
                found[-1] = (last[0], end, "")
            else:
                found.append((start, end, instead))
        return found

    def whole_lines(self, start: int, end: int) -> tuple[int, int]:
        """With the ends of the lines that it leaves empty."""
        text = self.source.text
        line = text.rfind("\n", 0, start) + 1
        after = text.find("\n", end)
        if after < 0 or text[line:start].strip() or text[end:after].strip():
            return start, end
        return line, after + 1


def written(kept: Kept, named: set[Variable]) -> dict[str, str]:
    """Of each file of the program, by its path, the text that is left; not of the library's. Raises NotWritten."""
    cuts: dict[int, Cut] = {}

    def cut_of(span: Span) -> Cut:
        return cuts.setdefault(id(span.source), Cut(span.source))

    def statements_of(body: list[typed.Statement]) -> None:
        stay = {s.span.start for s in body if id(s) in kept.statements}  # RETURN of a value is two statements
        for s in body:
            if id(s) not in kept.statements:
                if s.span.start in stay:
                    continue
                cut_of(s.span).take(s.span.start, end_with_semicolon(s.span))
                continue
            if id(s) in kept.passing:
                cut_of(s.span).take(s.span.start, s.span.end, "RESCHEDULE")
                continue
            for inner in bodies(s):
                statements_of(inner)

    for module in kept.program.modules:
        cut = cuts.setdefault(id(module.source), Cut(module.source))
        statements_of(module.body)
        take_variables(cut, module.variables, named)
        for asked in module.properties:
            if asked not in kept.claims.properties:
                take_property(cut, asked)
    for p in kept.program.all_processes():
        if p in kept.processes:
            statements_of(p.body)
            take_variables(cut_of(p.span), p.locals, named)
        else:
            take_process(cut_of(p.span), p)
    called = functions_called(expressions_kept(kept))
    for f in kept.program.all_functions():
        if f not in called:
            take_process(cut_of(f.span), f)
    for send, j in kept.blank_values:
        e = send.values[j]
        cut_of(e.span).take(e.span.start, e.span.end, constant_text(e.type))
    for call, j in kept.blank_arguments:
        e = call.arguments[j].value
        cut_of(e.span).take(e.span.start, e.span.end, constant_text(e.type))
    return {c.source.path: laid_out(c) for c in cuts.values() if not c.source.path.startswith(str(LIBRARY))}


def expressions_kept(kept: Kept) -> list[typed.Expr]:
    found = [p.formula for p in kept.claims.properties if p.formula is not None]
    bodies_kept = [p.process.body for p in kept.claims.properties if p.process is not None]
    stay = [s for s in kept.all_statements if id(s) in kept.statements and id(s) not in kept.passing]
    return found + [
        e for s in [*stay, *(s for body in bodies_kept for s in statements(body))] for e in expressions_of(s)
    ]


def take_variables(cut: Cut, variables: list[Variable], named: set[Variable]) -> None:
    """As `show` marks them, but with the commas between the names that stay."""
    text = cut.source.text
    for together in declared_together([v for v in variables if not is_hidden(v) and not is_parameter(v)]):
        stay = [v for v in together if v in named or v.address is not None]
        if stay == together:
            continue
        last = together[-1]
        if not stay:
            end = end_of_declaration(last)
            if end == last.span.end:
                raise NotWritten(f"the declaration of `{last.name}`, which has left, cannot be told from its type")
            cut.take(together[0].span.start, end)
            continue
        end = last.span.end + (text[last.span.end : last.span.end + 1] == "*")
        names = [v.name + "*" * v.exported for v in stay]
        cut.take(together[0].span.start, end, ", ".join(names))


def constant_text(t: Type) -> str:
    """A value that does not matter."""
    base = t.base if isinstance(t, SubrangeType) else t
    value = first_of(t)
    if isinstance(t, FixedType):
        return steps_text(t, value)
    if isinstance(base, BooleanType):
        return "TRUE" if value else "FALSE"
    if isinstance(base, CharType):
        return f"0{value:X}X"
    if isinstance(base, SetType):
        return "{}"
    if isinstance(base, EnumerationType):
        return base.values[value]
    return str(value)


def laid_out(cut: Cut) -> str:
    source = Source(cut.source.path, cut.text())
    found = Diagnostics()
    text = format_source(source, found)
    if text is None:
        raise NotWritten(f"what is left of {source.path} is no program: {found.items[0].message}")
    return text

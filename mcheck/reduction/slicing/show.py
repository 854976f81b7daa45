"""What a slice is, told: the text of the program with what has left marked, and as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from lfc.base.source import Source, Span
from lfc.mcheck.reduction.slicing.dependence import Kept, Owner, variables_of
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable
from lfc.semantics.model.visit import bodies

GREY, PLAIN = "\x1b[9;2m", "\x1b[0m"  # struck out and faint


@dataclass(slots=True)
class Marked:
    """One file: by character, whether it is gone."""

    source: Source
    gone: bytearray

    def take(self, start: int, end: int) -> None:
        self.gone[start:end] = b"\1" * (end - start)

    def lines(self) -> list[tuple[int, str, str]]:
        """Number, text, and for each character whether it is gone (`-`) or not (` `)."""
        found = []
        begin = 0
        for number, line in enumerate(self.source.text.split("\n"), 1):
            marks = "".join("-" if x else " " for x in self.gone[begin : begin + len(line)])
            found.append((number, line, marks))
            begin += len(line) + 1
        return found


def marked(kept: Kept, named: set[Variable]) -> list[Marked]:
    """Of each file. `named`: the variables that the slice still has."""
    files: dict[int, Marked] = {}

    def file_of(span: Span) -> Marked:
        return files.setdefault(id(span.source), Marked(span.source, bytearray(len(span.source.text))))

    def statements_gone(body: list[typed.Statement]) -> None:
        for s in body:
            if id(s) not in kept.statements:
                file_of(s.span).take(s.span.start, end_with_semicolon(s.span))
                continue
            for inner in bodies(s):
                statements_gone(inner)

    for module in kept.program.modules:
        files.setdefault(id(module.source), Marked(module.source, bytearray(len(module.source.text))))
        statements_gone(module.body)
        take_variables(files[id(module.source)], module.variables, named)
        for asked in module.properties:
            if asked not in kept.claims.properties:
                take_property(file_of(asked.span), asked)
    for p in kept.program.all_processes():
        if p in kept.processes:
            statements_gone(p.body)
            take_variables(file_of(p.span), p.locals, named)
        else:
            take_process(file_of(p.span), p)
    return list(files.values())


def take_variables(file: Marked, variables: list[Variable], named: set[Variable]) -> None:
    """A declaration of which no name stays goes with its type."""
    for together in declared_together([v for v in variables if not is_hidden(v)]):
        gone = [v for v in together if v not in named and v.address is None]
        for v in gone:
            file.take(v.span.start, v.span.end)
        if gone == together:
            file.take(together[0].span.start, end_of_declaration(together[-1]))


def declared_together(variables: list[Variable]) -> list[list[Variable]]:
    """Names with one type, as `x, y*` before the colon."""
    found: list[list[Variable]] = []
    for v in variables:
        text = v.span.source.text
        if found and re.fullmatch(r"\*?\s*,\s*", text[found[-1][-1].span.end : v.span.start]):
            found[-1].append(v)
        else:
            found.append([v])
    return found


def end_of_declaration(last: Variable) -> int:
    """Behind its semicolon. Of a parameter, and where a semicolon may be another one's (of a record, in a comment),
    behind the name.
    """
    text = last.span.source.text
    end = text.find(";", last.span.end)
    plain = last.kind in (typed.VariableKind.MODULE, typed.VariableKind.LOCAL)
    return end + 1 if plain and end >= 0 and not re.search(r"RECORD|\(\*", text[last.span.end : end]) else last.span.end


def is_hidden(v: Variable) -> bool:
    return v.kind is typed.VariableKind.LIMIT


def end_with_semicolon(span: Span) -> int:
    text = span.source.text
    at = span.end
    while at < len(text) and text[at] in " \t)":
        at += 1
    return at + 1 if at < len(text) and text[at] == ";" else span.end


class Takes(Protocol):
    """A file from which pieces are taken."""

    def take(self, start: int, end: int) -> None: ...


def take_property(file: Takes, asked: typed.Property) -> None:
    if asked.process is not None:
        take_process(file, asked.process, "PROPERTY")
    elif asked.formula is not None:
        start = asked.span.source.text.rfind("PROPERTY", 0, asked.span.start)
        file.take(start, end_with_semicolon(Span(asked.span.source, start, asked.formula.span.end)))


def take_process(file: Takes, p: Process, word: str = "PROCESS") -> None:
    text = p.span.source.text
    word = "PROCEDURE" if p.is_procedure else word
    start = text.rfind(word, 0, p.span.start)
    end = text.find(";", p.end_span.start if p.end_span is not None else p.span.end)
    file.take(max(start, 0), len(text) if end < 0 else end + 1)


def as_text(files: list[Marked], colored: bool) -> str:
    """Coloured: all of the text, with what is gone struck out; else the lines of which something stays."""
    out = []
    for f in files:
        out.append(f"{f.source.path}:")
        for number, line, marks in f.lines():
            if colored:
                out.append(f"{number:5}  {struck(line, marks)}")
            elif stays(line, marks):
                out.append(
                    f"{number:5}  {''.join(c if m == ' ' else ' ' for c, m in zip(line, marks, strict=True))}".rstrip()
                )
    return "\n".join(out)


def stays(line: str, marks: str) -> bool:
    """Or was blank before."""
    left = "".join(c for c, m in zip(line, marks, strict=True) if m == " ")
    return not marks.strip() or any(c.isalnum() for c in left)


def struck(line: str, marks: str) -> str:
    out = []
    before = " "
    for c, m in zip(line, marks, strict=True):
        if m != before:
            out.append(GREY if m == "-" else PLAIN)
            before = m
        out.append(c)
    return "".join(out) + (PLAIN if before == "-" else "")


def lines_passing(kept: Kept) -> list[int]:
    """Of the communications that need no partner."""
    return sorted({s.span.line for s in kept.passing.values()})


def as_data(kept: Kept, named: set[Variable], files: list[Marked]) -> dict[str, object]:
    gone = [p for p in kept.program.all_processes() if p not in kept.processes]
    owners: list[Owner] = [*kept.program.modules, *kept.program.all_processes()]
    variables = [v for owner in owners for v in variables_of(owner) if v not in named and not is_hidden(v)]
    return {
        "version": 1,
        "for": kept.claims.text,
        "statements": len(kept.all_statements),
        "kept": sum(id(s) in kept.statements for s in kept.all_statements),
        "points_stay": kept.claims.points_stay,
        "passing": lines_passing(kept),
        "processes_gone": [p.qualified_name for p in gone],
        "variables_gone": [f"{v.owner.name}.{v.name}" for v in variables],
        "lines": {
            f.source.path: [n for n, line, marks in f.lines() if line.strip() and stays(line, marks)] for f in files
        },
    }

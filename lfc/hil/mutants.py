"""Small wrong changes of a program, as texts: what a test suite should notice."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics
from lfc.semantics.model.typed import Program
from lfc.semantics.modules import is_of_library
from lfc.syntax.grammar import tree
from lfc.syntax.parser import parse_module

KINDS = ("operator", "constant", "guard", "dropped send", "swapped branch")
OPERATORS = {
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "DIV": ("MOD",),
    "MOD": ("DIV",),
    "=": ("#",),
    "#": ("=",),
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "&": ("OR",),
    "OR": ("&",),
}
TRUTH = {"TRUE": "FALSE", "FALSE": "TRUE"}
SHOWN = 40


@dataclass(frozen=True, slots=True)
class Mutant:
    kind: str
    line: int
    told: str
    text: str  # of the whole module
    file: str  # that it is in


def mutants_of(source: Source) -> list[Mutant]:
    """In the order of the text. Properties, types, slots and addresses stay: they are not what a board does."""
    module = parse_module(source, Diagnostics())
    found = [m for node in _nodes(module) for m in _of_node(source, node)]
    return sorted(found, key=lambda m: m.line)


def mutants_of_program(program: Program) -> list[Mutant]:
    """Of the main module and of those of the project that it imports; the library's own are tested elsewhere."""
    own = [m.source for m in program.modules if not m.environment and not is_of_library(m.source)]
    return [mutant for source in own for mutant in mutants_of(source)]


def shuffled(all_of_them: list[Mutant], seed: int) -> list[Mutant]:
    """So that the first ones are of all kinds and places; the same for the same seed."""
    return random.Random(seed).sample(all_of_them, len(all_of_them))


def _nodes(node: tree.Node) -> Iterator[tree.Node]:
    yield node
    for child in tree.children(node):
        if not isinstance(child, tree.PropertyDecl | tree.TypeNode | tree.Attribute | tree.VarDecl | tree.PortDecl):
            yield from _nodes(child)


def _of_node(source: Source, node: tree.Node) -> Iterator[Mutant]:
    if isinstance(node, tree.Binary) and node.op in OPERATORS:
        between = Span(source, node.left.span.end, node.right.span.start)
        written = _text(source, between)
        for other in OPERATORS[node.op]:
            changed = re.sub(re.escape(node.op), f" {other} ", written, count=1)
            yield _changed("operator", source, [(between, changed)], node.span)
    elif isinstance(node, tree.IntLit):
        yield _changed("constant", source, [(node.span, str(node.value + 1))], node.span)
        if node.value > 0:
            yield _changed("constant", source, [(node.span, str(node.value - 1))], node.span)
    elif isinstance(node, tree.Ident) and node.name in TRUTH:
        yield _changed("constant", source, [(node.span, TRUTH[node.name])], node.span)
    elif isinstance(node, tree.Send):
        yield from _without(source, node)
    if isinstance(node, tree.IfBranch | tree.While):
        yield _negated(source, node.condition)
    elif isinstance(node, tree.Repeat):
        yield _negated(source, node.until)
    elif isinstance(node, tree.When) and node.guard is not None:
        yield _negated(source, node.guard)
    bodies = _bodies(node)
    for first, second in zip(bodies, bodies[1:], strict=False):
        if first and second:
            one = Span(source, first[0].span.start, first[-1].span.end)
            two = Span(source, second[0].span.start, second[-1].span.end)
            if _text(source, one) != _text(source, two):
                swapped = [(one, _text(source, two)), (two, _text(source, one))]
                yield _changed("swapped branch", source, swapped, one)


def _without(source: Source, send: tree.Send) -> Iterator[Mutant]:
    """As the event of a WHEN it does not compile without; such mutants are left out when they are built."""
    yield _changed("dropped send", source, [(send.span, "")], send.span)


def _negated(source: Source, condition: tree.Expr) -> Mutant:
    return _changed("guard", source, [(condition.span, f"~({_text(source, condition.span)})")], condition.span)


def _bodies(node: tree.Node) -> list[list[tree.Statement]]:
    if isinstance(node, tree.If | tree.Case):
        return [b.body for b in node.branches] + ([node.otherwise] if node.otherwise is not None else [])
    if isinstance(node, tree.Select):
        return [c.body for c in node.clauses] + ([node.otherwise] if node.otherwise is not None else [])
    if isinstance(node, tree.Choice):
        return [b.body for b in node.branches]
    return []


def _changed(kind: str, source: Source, edits: list[tuple[Span, str]], shown: Span) -> Mutant:
    text = source.text
    for span, new in sorted(edits, key=lambda e: -e[0].start):
        text = text[: span.start] + new + text[span.end :]
    longer = sum(len(new) - (span.end - span.start) for span, new in edits if shown.start <= span.start < shown.end)
    was, now = _text(source, shown), text[shown.start : shown.end + longer]
    if kind == "swapped branch":
        told = f"`{_short(was)}` changes places with the next branch"
    elif kind == "dropped send":
        told = f"`{_short(was)}` is left out"
    else:
        told = f"`{_short(was)}` becomes `{_short(now)}`"
    return Mutant(kind, source.line_and_column(shown.start)[0], told, text, source.path)


def _text(source: Source, span: Span) -> str:
    return source.text[span.start : span.end]


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= SHOWN else one_line[: SHOWN - 3] + "..."

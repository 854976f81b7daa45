"""Constants that the command line gives other values: `-D N=3`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.model import typed
from lfc.semantics.names.context import AssumedWorld, Definition
from lfc.semantics.names.unknown_names import did_you_mean
from lfc.semantics.statements.levels import LEVELS
from lfc.syntax.grammar import tree
from lfc.syntax.parser import parse_module

OPTION = "<-D>"
BEFORE, AFTER = "MODULE D; CONST N = ", "; END D."

LEVEL, BUDGET = "--level", "--fault-budget"  # stand among them, too

Definitions = dict[tuple[str, str], Definition]


def parsed_definitions(given: Mapping[str, str], main: str, diagnostics: Diagnostics) -> Definitions:
    """By module and name; a name without a module is one of the main module."""
    found: Definitions = {}
    for name, value in given.items():
        if name in (LEVEL, BUDGET, typed.WRAPS):
            continue
        module, _, constant = name.rpartition(".")
        text = f"{name}={value}"
        source = Source(OPTION, text)
        parsed = _expression(value)
        if parsed is None:
            span = Span(source, len(name) + 1, len(text))
            diagnostics.report("LF0910", span, f"`{value}` is no constant", Note(f"as in `-D {name}=3`"))
            continue
        found[module or main, constant] = Definition(text, _moved(parsed, source, len(name) + 1 - len(BEFORE)))
    return found


def assumed_world(given: Mapping[str, str]) -> AssumedWorld:
    level = LEVELS.index(given[LEVEL]) if LEVEL in given else len(LEVELS) - 1
    return AssumedWorld(level, int(given[BUDGET]) if BUDGET in given else None)


def _expression(value: str) -> tree.Expr | None:
    own = Diagnostics()
    module = parse_module(Source(OPTION, f"{BEFORE}{value}{AFTER}"), own)
    sections = [d for d in module.declarations if isinstance(d, tree.Section)]
    if own.items or len(module.declarations) != 1 or len(sections) != 1 or len(sections[0].declarations) != 1:
        return None
    declared = sections[0].declarations[0]
    return declared.value if isinstance(declared, tree.ConstDecl) else None


def _moved(node: tree.Expr, source: Source, by: int) -> tree.Expr:
    """To its place in what the command line says."""
    waiting: list[tree.Node] = [node]
    seen: set[int] = set()
    while waiting:
        n = waiting.pop()
        if id(n) not in seen:
            seen.add(id(n))
            n.span = Span(source, n.span.start + by, n.span.end + by)
            waiting += tree.children(n)
    return node


def report_unknown(definitions: Definitions, modules: Sequence[typed.Module], diagnostics: Diagnostics) -> None:
    """Those of which there is no constant."""
    for (module, name), definition in definitions.items():
        if definition.used:
            continue
        span = Span(Source(OPTION, definition.text), 0, definition.text.index("="))
        found = next((m for m in modules if m.name == module), None)
        if found is None:
            diagnostics.report("LF0910", span, f"the program has no module `{module}`")
            continue
        known = [c.name for c in found.constants]
        hint, _ = did_you_mean(name, known, span)
        notes = [Note(f"it has {', '.join(f'`{c}`' for c in known[:12])}")] if known and not hint else []
        diagnostics.report("LF0910", span, f"module `{module}` has no constant `{name}`{hint}", *notes)

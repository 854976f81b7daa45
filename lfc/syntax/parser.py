"""From text to tree, whatever the text.

The loop below drives the LALR tables over a whole file and knows nothing of errors. When it meets one, recovery turns
the tokens into tokens that are a module (and reports what it changed), and the loop runs again over those.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar import tree
from lfc.syntax.grammar.build import Builder
from lfc.syntax.grammar.lexer import Tokens, cut_into_tokens
from lfc.syntax.grammar.tables import Tables, load_tables
from lfc.syntax.nesting import limit_nesting, may_nest_deeply
from lfc.syntax.recovery.recover import DEEPEST_STACK, repair_tokens


def parse_module(source: Source, diagnostics: Diagnostics) -> tree.Module:
    """The tree of a file. What was not understood is reported and is an Error... node, or was left out."""
    tokens = cut_into_tokens(source, diagnostics)
    found = Diagnostics()
    result = _run(tokens, found, DEEPEST_STACK)
    if result.module is None:
        tokens = repair_tokens(tokens, diagnostics)
        found = Diagnostics()
        result = _run(tokens, found, sys.maxsize)
        assert result.module is not None, "repaired tokens are a module"
    diagnostics.items += found.items
    if may_nest_deeply(tokens, result.deepest):
        said = any(d.code == "LF0207" for d in diagnostics.items if d.span.source is source)
        limit_nesting(result.module, Diagnostics() if said else diagnostics)
    return result.module


@dataclass(slots=True)
class _Result:
    module: tree.Module | None
    deepest: int = 0  # entries of the stack, at most


@dataclass(slots=True)
class _Machine:
    """The tables in the shape that the loop wants.

    `jumps` remembers, for a state and a nonterminal (shifted left by eight) with the next terminal, the state to go to
    when all productions that only pass a value on have been taken at once.
    """

    tables: Tables
    rules: list[tuple[int, int, str | None]]
    jumps: list[dict[int, int]] = field(default_factory=list)

    def jump(self, state: int, key: int) -> int:
        terminal = key & 0xFF
        goto = self.tables.gotos[state]
        target = goto[key >> 8]
        while True:
            action = self.tables.actions[target].get(terminal, 0)
            if action >= 0:
                break
            lhs, length, act = self.rules[~action]
            if act is not None or length != 1:
                break
            target = goto[lhs >> 8]
        self.jumps[state][key] = target
        return target


@cache
def _machine() -> _Machine:
    tables = load_tables()
    rules = [(rule.lhs << 8, rule.length, rule.act) for rule in tables.rules]
    return _Machine(tables, rules, [{} for _ in tables.actions])


def _run(tokens: Tokens, diagnostics: Diagnostics, deepest_allowed: int) -> _Result:
    machine = _machine()
    builder = Builder(tokens, diagnostics)
    rules = [(lhs, length, getattr(builder, act) if act else None) for lhs, length, act in machine.rules]
    actions, jumps = machine.tables.actions, machine.jumps
    states = [machine.tables.start]
    values: list[Any] = []
    row = actions[states[0]]
    deepest = 0
    for token, kind in enumerate(tokens.kinds):
        while True:
            action = row.get(kind)
            if action is None:
                return _Result(None, deepest)
            if action >= 0:
                states.append(action)
                values.append(token)
                row = actions[action]
                break
            lhs, length, act = rules[~action]
            if length:
                if act is not None:
                    arguments = values[-length:]
                    del values[-length:]
                    values.append(act(*arguments))
                del states[-length:]
            else:
                values.append(act())  # type: ignore[misc]  # an empty production always has an act
            state = states[-1]
            target = jumps[state].get(lhs | kind)
            if target is None:
                target = machine.jump(state, lhs | kind)
            states.append(target)
            row = actions[target]
        if len(states) > deepest:
            deepest = len(states)
            if deepest > deepest_allowed:
                return _Result(None, deepest)
    return _Result(values[0], deepest)

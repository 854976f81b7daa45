"""The parse tables: made from grammar.lark by lark, kept beside it as JSON so that lark is rarely needed. Imports
lark.

`python -m lfc.syntax.grammar.tables` writes the kept tables anew. They name the grammar that they were made from:
when the grammar has changed since, they are made afresh (slower, but right).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

GRAMMAR = Path(__file__).with_name("grammar.lark")
KEPT = Path(__file__).with_name("grammar.tables.json")
END_OF_TEXT = "$END"


@dataclass(frozen=True, slots=True)
class Rule:
    lhs: int  # number of the nonterminal
    length: int
    act: str | None  # method of the builder; None: a production of one symbol that passes its value on


@dataclass(frozen=True, slots=True)
class Tables:
    """Actions: `n >= 0` shifts and goes to state n, `n < 0` reduces by rule `~n`.

    A module is accepted by shifting END_OF_TEXT in the state `accept`.
    """

    terminals: list[str]
    nonterminals: list[str]
    rules: list[Rule]
    start: int
    accept: int
    actions: list[dict[int, int]]  # by state, then terminal
    gotos: list[dict[int, int]]  # by state, then nonterminal
    continuation: list[int]  # by state: a step that leads towards the end: terminal t to shift, or ~rule to reduce by


@cache
def load_tables() -> Tables:
    digest = hashlib.sha256(GRAMMAR.read_bytes()).hexdigest()
    try:
        kept = json.loads(KEPT.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = {}
    if kept.get("grammar") != digest:
        kept = make_tables()
    return Tables(
        terminals=kept["terminals"],
        nonterminals=kept["nonterminals"],
        rules=[Rule(*rule) for rule in kept["rules"]],
        start=kept["start"],
        accept=kept["accept"],
        actions=[dict(zip(row[::2], row[1::2], strict=True)) for row in kept["actions"]],
        gotos=[dict(zip(row[::2], row[1::2], strict=True)) for row in kept["gotos"]],
        continuation=kept["continuation"],
    )


def make_tables() -> dict[str, Any]:
    return tables_of(GRAMMAR.read_text(encoding="utf-8"))


def tables_of(text: str) -> dict[str, Any]:
    """Let lark build the LALR(1) tables of a grammar and number everything in an order that depends on it alone. Raises
    ValueError if it has conflicts."""
    import logging

    from lark import Lark, logger
    from lark.lexer import Lexer as LarkLexer

    class NoLexer(LarkLexer):
        """Lark's own lexer is not used: lfc/syntax/grammar/lexer.py feeds the tables."""

        def __init__(self, _conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            return iter(())

    conflicts: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: conflicts.append(record.getMessage())  # type: ignore[method-assign]
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.WARNING)  # a conflict is a warning to lark
    logger.propagate = False
    try:
        parser: Any = Lark(text, start="module", parser="lalr", lexer=NoLexer, debug=True).parser.parser
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    if conflicts:
        raise ValueError("the grammar has conflicts:\n" + "\n".join(conflicts))
    return _number(parser._parse_table)


def _number(table: Any) -> dict[str, Any]:
    symbols: dict[str, bool] = {END_OF_TEXT: True}  # name -> is a terminal
    rules_found: set[Any] = set()
    for state in table.states:
        for item in state:
            rules_found.add(item.rule)
            for symbol in item.rule.expansion:
                symbols[symbol.name] = symbol.is_term
            symbols[item.rule.origin.name] = False
    terminals = sorted(name for name, is_terminal in symbols.items() if is_terminal)
    nonterminals = sorted(name for name, is_terminal in symbols.items() if not is_terminal)
    rules = sorted(rules_found, key=str)
    rule_number = {rule: number for number, rule in enumerate(rules)}
    terminal_number = {name: number for number, name in enumerate(terminals)}
    nonterminal_number = {name: number for number, name in enumerate(nonterminals)}

    start = table.start_states["module"]
    order = [start]
    state_number = {start: 0}
    for state in order:
        for _, (action, argument) in sorted(table.states[state].items()):
            if str(action) == "Shift" and argument not in state_number:
                state_number[argument] = len(order)
                order.append(argument)

    actions: list[list[int]] = []
    gotos: list[list[int]] = []
    for state in order:
        row: list[int] = []
        goto_row: list[int] = []
        for name, (action, argument) in sorted(table.states[state].items()):
            shifts = str(action) == "Shift"
            if not symbols[name]:
                goto_row += [nonterminal_number[name], state_number[argument]]
            else:
                row += [terminal_number[name], state_number[argument] if shifts else ~rule_number[argument]]
        if state == table.end_states["module"]:
            row = [terminal_number[END_OF_TEXT], len(actions)]
        actions.append(row)
        gotos.append(goto_row)

    steps = _continuation(order, rules)
    return {
        "grammar": hashlib.sha256(GRAMMAR.read_bytes()).hexdigest(),
        "terminals": terminals,
        "nonterminals": nonterminals,
        "rules": [[nonterminal_number[r.origin.name], len(r.expansion), r.alias] for r in rules],
        "start": 0,
        "accept": state_number[table.end_states["module"]],
        "actions": actions,
        "gotos": gotos,
        "continuation": [terminal_number[step] if isinstance(step, str) else ~rule_number[step] for step in steps],
    }


# What recovery would rather write than something else: a placeholder before a name, and never a literal.
_COST = {"ERROR_EXPRESSION": 1.5, "ERROR_TYPE": 1.5, "ERROR_STATEMENT": 9, "ERROR_DECLARATION": 9, "IDENT": 3}
_COST |= {"INTEGER": 9, "DECIMAL": 9, "CHARACTER": 9, "STRING": 9}


def _continuation(states: list[Any], rules: list[Any]) -> list[Any]:
    """For each state the next step of a shortest way to the end of the text (a terminal's name, or a rule).

    This is Roehrich's continuation: the kernel item with the cheapest rest is followed, and nonterminals are expanded
    by their cheapest production. A list is never made longer, else there might be no end.
    """
    cheapest: dict[str, tuple[float, Any]] = {}

    def cost_of(symbols: Any) -> float:
        return sum(
            _COST.get(s.name, 1) if s.is_term else cheapest.get(s.name, (float("inf"), None))[0] for s in symbols
        )

    changed = True
    while changed:
        changed = False
        for rule in rules:
            # One more for the production itself: a chain of productions cannot go round without growing dearer.
            cost = cost_of(rule.expansion) + 0.001
            if cost < cheapest.get(rule.origin.name, (float("inf"), None))[0]:
                cheapest[rule.origin.name] = (cost, rule)
                changed = True

    steps: list[Any] = []
    for state in states:
        kernel = [item for item in state if item.index > 0] or list(state)
        kernel = [item for item in kernel if not _makes_list_longer(item)] or kernel
        best = min(kernel, key=lambda item: (cost_of(item.rule.expansion[item.index :]), str(item.rule)))
        rest = best.rule.expansion[best.index :]
        rule = best.rule
        while rest and not rest[0].is_term:
            rule = cheapest[rest[0].name][1]
            rest = rule.expansion
        steps.append(rest[0].name if rest else rule)
    return steps


def _makes_list_longer(item: Any) -> bool:
    return bool(item.index == 1 and item.rule.expansion[0] == item.rule.origin)


def write_kept_tables() -> None:
    tables = make_tables()
    rows = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in tables.items()
    )
    KEPT.write_text("{\n" + rows + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write_kept_tables()

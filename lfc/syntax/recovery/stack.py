"""The parser's stack without values, for trying things out: persistent, so that going back costs nothing."""

from __future__ import annotations

from functools import cache

from lfc.syntax.grammar.tables import END_OF_TEXT, load_tables

# The top state, the stack below it, the number of entries.
Stack = tuple[int, "Stack | None", int]

_TABLES = load_tables()
_ACTIONS = _TABLES.actions
_GOTOS = _TABLES.gotos
_RULES = [(rule.lhs, rule.length) for rule in _TABLES.rules]
_END = _TABLES.terminals.index(END_OF_TEXT)

BOTTOM: Stack = (_TABLES.start, None, 1)


def shift(stack: Stack, terminal: int) -> Stack | None:
    """The stack after a token, or None if the token cannot come here."""
    while True:
        action = _ACTIONS[stack[0]].get(terminal)
        if action is None:
            return None
        if action >= 0:
            return (action, stack, stack[2] + 1)
        stack = _reduce(stack, ~action)


def _reduce(stack: Stack, rule: int) -> Stack:
    lhs, length = _RULES[rule]
    below: Stack | None = stack
    for _ in range(length):
        assert below is not None
        below = below[1]
    assert below is not None
    return (_GOTOS[below[0]][lhs], below, below[2] + 1)


def acceptable(stack: Stack) -> set[int]:
    """The terminals that can come next."""
    return {terminal for terminal in _ACTIONS[stack[0]] if shift(stack, terminal) is not None}


def next_step(stack: Stack) -> tuple[int | None, Stack]:
    """One step towards the end of the module: the terminal it takes, if it takes one, and the stack after it."""
    step = _TABLES.continuation[stack[0]]
    if step < 0:
        return None, _reduce(stack, ~step)
    after = shift(stack, step)
    assert after is not None
    return step, after


def complete(stack: Stack) -> list[int]:
    """Terminals that make a module of what is on the stack; none if it is one."""
    terminals: list[int] = []
    while shift(stack, _END) is None:
        terminal, stack = next_step(stack)
        if terminal is not None:
            terminals.append(terminal)
    return terminals


@cache
def _acts_of_continuation() -> list[str | None]:
    return [_TABLES.rules[~step].act if step < 0 else None for step in _TABLES.continuation]


def ends_declaration(stack: Stack) -> bool:
    """Whether the semicolon just shifted ends a declaration of a CONST, TYPE, VAR or PORT section."""
    return _acts_of_continuation()[stack[0]] == "add_before"

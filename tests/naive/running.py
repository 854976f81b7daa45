"""For tests: programs from text, run to their end, and their variables by name."""

from __future__ import annotations

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics, Severity
from lfc.semantics.analyse import analyse
from lfc.semantics.model import typed
from tests.naive.evaluator import possible_events, step
from tests.naive.policies import Item, Policy, TakeFirst
from tests.naive.state import State, Value, frozen


def program_of(text: str, name: str = "Test.lf") -> typed.Program:
    """The typed program of a text without errors."""
    diagnostics = Diagnostics()
    program = analyse(Source(name, text), diagnostics)
    errors = [d for d in diagnostics.items if d.severity is Severity.ERROR]
    assert program is not None and not errors, "\n".join(f"{d.span} {d.code} {d.message}" for d in errors)
    return program


def run(text: str, policy: Policy | None = None, most_steps: int = 1000, rounds: int = 1_000_000) -> State:
    """Until nothing can happen, a fault, or the last step."""
    state = State.initial(program_of(text))
    for _ in range(most_steps):
        if not possible_events(state):
            break
        step(state, policy or TakeFirst(), rounds)
    return state


def value(state: State, name: str) -> object:
    """Of a module variable: a number, or tuples of numbers."""
    found = [x for v, x in state.modules.items() if v.name == name]
    assert len(found) == 1, f"{len(found)} variables {name}"
    return frozen(found[0])


def local(state: State, slot: int, name: str) -> Value:
    """Of the innermost frame of a slot."""
    activation = state.slots[slot]
    assert activation is not None
    found = [x for v, x in activation.frames[-1].variables.items() if v.name == name]
    assert len(found) == 1, f"{len(found)} variables {name}"
    return found[0]


def output(items: list[Item]) -> str:
    return "".join(chr(c) for tag, *rest in items if tag == "write" for c in rest if isinstance(c, int))

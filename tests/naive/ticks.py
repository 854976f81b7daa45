"""A second opinion on properties that measure time: every millisecond is a step of its own, and a bound of time is said
without one, as what holds before so many such steps. Shares with the checker how formulas without bounds become
automata.

A program of the naive explorer becomes a graph of moments: a real one after each step, and between two steps one for
each millisecond that passes, in which all is as before. Formulas speak of real moments alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from lfc.mcheck.ltl.formula import FALSE, Formula, Op, atom, negation, node
from lfc.mcheck.ltl.translate import automaton_of_violations
from tests.mcheck.properties.naive_product import Edge, has_violation
from tests.naive.explorer import Conventions, events_to_explore
from tests.naive.state import State
from tests.naive.timed import Left, Node, delays, left_after, outcomes

TICK = "a millisecond has passed"
Tree: TypeAlias = "tuple[object, ...]"  # ("atom", text), ("within", f, n), ("for", f, n), ("not", f), ("and", f, g) ...

UNARY = {"always": "ALWAYS", "eventually": "EVENTUALLY", "not": "~"}
BINARY = {"and": "&", "or": "OR", "implies": "IMPLIES", "until": "UNTIL", "weak": "WEAKUNTIL", "release": "RELEASE"}


def text_of(f: Tree) -> str:
    """In the language."""
    kind, *parts = f
    if kind == "atom":
        return f"({parts[0]})"
    if kind in ("within", "for"):
        words = ("EVENTUALLY", "WITHIN") if kind == "within" else ("ALWAYS", "FOR")
        return f"({words[0]} {text_of(parts[0])} {words[1]} {parts[1]} MS)"  # type: ignore[arg-type]
    if kind in UNARY:
        return f"({UNARY[str(kind)]} {text_of(parts[0])})"  # type: ignore[arg-type]
    left, right = (text_of(p) for p in parts)  # type: ignore[arg-type]
    return f"({left} {BINARY[str(kind)]} {right})"


def without_bounds(f: Tree) -> Formula:
    """Over words with ticks."""
    kind, *parts = f
    ticks, real = atom(TICK), negation(atom(TICK))
    if kind == "atom":
        return atom(str(parts[0]))
    if kind == "within":
        return within(without_bounds(parts[0]), int(parts[1]))  # type: ignore[arg-type, call-overload]
    if kind == "for":
        return negation(within(negation(without_bounds(parts[0])), int(parts[1])))  # type: ignore[arg-type, call-overload]
    inner = [without_bounds(p) for p in parts]  # type: ignore[arg-type]
    match kind:
        case "not":
            return negation(inner[0])
        case "and":
            return node(Op.AND, *inner)
        case "or":
            return node(Op.OR, *inner)
        case "implies":
            return node(Op.IMPLIES, *inner)
        case "always":
            return node(Op.ALWAYS, node(Op.OR, ticks, inner[0]))
        case "eventually":
            return node(Op.EVENTUALLY, node(Op.AND, real, inner[0]))
    now, then = inner
    if kind == "release":  # then, until now and then
        return node(Op.RELEASE, node(Op.AND, real, now), node(Op.OR, ticks, then))
    waits = Op.UNTIL if kind == "until" else Op.WEAKUNTIL
    return node(waits, node(Op.OR, ticks, now), node(Op.AND, real, then))


def within(f: Formula, milliseconds: int) -> Formula:
    ticks, real = atom(TICK), negation(atom(TICK))
    found = FALSE  # with one more tick it would be too late
    for _ in range(milliseconds + 1):
        later = node(Op.OR, node(Op.AND, f, real), node(Op.AND, ticks, found))
        found = node(Op.OR, f, node(Op.NEXT, node(Op.UNTIL, real, later)))
    return found


@dataclass(slots=True)
class Graph:
    nodes: list[Node]
    edges: list[list[tuple[int, int]]]  # by node: how long it lasts until then, and the node after the step


def graph_of(start: State, program_slots: int, longest: int, most: int) -> Graph | None:
    """`longest`: no bound of time is as long. None: too many."""
    conventions = Conventions(most_states=most, rounds=100_000)
    found = Graph([Node(start, (), 0)], [])
    numbers: dict[tuple[object, Left], int] = {(start.key(), ()): 0}
    at = 0
    while at < len(found.nodes):
        here = found.nodes[at]
        found.edges.append([])
        for event in events_to_explore(here.state, conventions):
            for passed in delays(here, event, program_slots, None if here.left else longest + 1):
                left = tuple((slot, c, ms - passed) for slot, c, ms in here.left)
                for after in outcomes(here.state, event, replace(conventions, clock=(0,))):
                    if after.fault is not None:
                        continue
                    then = left_after(left, after, here.state)
                    key = (after.key(), then)
                    if key not in numbers:
                        if len(numbers) >= most:
                            return None
                        numbers[key] = len(numbers)
                        found.nodes.append(Node(after, then, 0))
                    found.edges[at].append((passed, numbers[key]))
        at += 1
    return found


def is_so(state: State, condition: str) -> bool:
    name, relation, number = condition.split()
    value = next(x for v, x in state.modules.items() if v.name == name)
    assert isinstance(value, int)
    return {"=": value == int(number), "<": value < int(number), "#": value != int(number)}[relation]


def is_violated(graph: Graph, f: Tree, most: int) -> bool | None:
    """By some run. None: too many states."""
    automaton = automaton_of_violations(without_bounds(f))
    letters: dict[tuple[int, bool], int] = {}

    def letter(at: int, ticks: bool) -> int:
        if (at, ticks) not in letters:
            values = (ticks if a == TICK else is_so(graph.nodes[at].state, a) for a in automaton.atoms)
            letters[at, ticks] = sum(value << i for i, value in enumerate(values))
        return letters[at, ticks]

    def following(moment: tuple[int, int]) -> list[tuple[int, int]]:
        """Moments: the node, and how long it has lasted; -1: it lasts for ever."""
        at, lasted = moment
        if lasted == -1 or not graph.edges[at]:
            return [(at, -1)]
        if at == 0:  # before anything is seen
            return [(to, 0) for _, to in graph.edges[at]]
        found = [(to, 0) for passed, to in graph.edges[at] if passed == lasted]
        return found + [(at, lasted + 1)] * any(passed > lasted for passed, _ in graph.edges[at])

    State2 = tuple[tuple[int, int], int]
    edges: dict[State2, list[Edge]] = {}
    stack: list[State2] = [((0, 0), automaton.initial)]
    while stack:
        state = stack.pop()
        if state in edges:
            continue
        if len(edges) >= most:
            return None
        out = edges[state] = []
        for to in following(state[0]):
            x = letter(to[0], to[1] != 0)
            for t in automaton.transitions:
                if t.source == state[1] and any(x & p == p and not x & n for p, n in t.cubes):
                    out.append(Edge((to, t.target), t.acceptance))  # type: ignore[arg-type]
                    stack.append((to, t.target))
    return has_violation(edges, automaton.acceptance_sets)  # type: ignore[arg-type]

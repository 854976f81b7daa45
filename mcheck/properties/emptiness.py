"""The engine's search for fair accepting cycles, for Python: results, and explicit graphs (for tests)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from lfc.mcheck.engine import abi
from lfc.mcheck.engine import library as lib

U32, U64 = ctypes.c_uint32, ctypes.c_uint64


Verdict = abi.CycleVerdict
How = abi.CycleSearch


@dataclass(frozen=True, slots=True)
class Lasso:
    """Steps (state, automaton state, number of the edge taken there); the cycle begins at `prefix`."""

    prefix: int
    steps: list[tuple[int, int, int]]
    shortest: bool = False  # of a path without a cycle: no other one is shorter
    states: tuple[bytes, ...] = ()  # of a property process: what the automaton's state of each step stands for


@dataclass(frozen=True, slots=True)
class Found:
    verdict: Verdict
    lasso: Lasso | None
    states: int
    edges: int
    components: int
    again: int  # components (of the nested search: states) from which it was searched once more
    faulted: tuple[int, int] = (0, 0)  # of FAULTED: the state, and the atoms (bits) or what a property process said


def take(result: abi.CycleResult) -> Found:
    """Copies what the engine found, and frees it."""
    steps = [(s.root, s.q, s.ordinal) for s in result.steps[: result.length]] if result.steps else []
    lasso = Lasso(result.prefix, steps, bool(result.shortest), states_of(result)) if steps else None
    s = result.s
    found = Found(Verdict(result.verdict), lasso, s.states, s.edges, s.components, s.again)
    lib.library().cy_free(ctypes.byref(result))
    return found


def states_of(result: abi.CycleResult) -> tuple[bytes, ...]:
    size = result.state_size if result.state else 0
    content = bytes(result.state[: result.length * size]) if size else b""
    return tuple(content[i * size : (i + 1) * size] for i in range(result.length if size else 0))


@dataclass(frozen=True, slots=True)
class ExplicitGraph:
    """Edges (target, marks) of each state, and its enabled strong pairs."""

    edges: list[list[tuple[int, int]]]
    enabled: list[int]
    all_marks: int
    taken: int = 0
    pairs: int = 0


def search_explicit(graph: ExplicitGraph, how: How, initial: int = 0) -> Found:
    first = [0]
    for out in graph.edges:
        first.append(first[-1] + len(out))
    flat = [e for out in graph.edges for e in out]
    arrays = abi.CycleExplicit(
        (U32 * len(first))(*first),
        (U32 * max(1, len(flat)))(*(t for t, _ in flat)),
        (U64 * max(1, len(flat)))(*(m for _, m in flat)),
        (U64 * len(graph.enabled))(*graph.enabled),
    )
    result = abi.CycleResult()
    lib.library().cy_search_explicit(
        ctypes.byref(arrays), initial, U64(graph.all_marks), graph.taken, graph.pairs, int(how), ctypes.byref(result)
    )
    return take(result)

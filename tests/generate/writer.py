"""What all writers of random programs share: weights, draws, and the parts that most programs have."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """How often a program has what: 0 never, 1 always. What a writer has no use for, it does not look at."""

    asserts: float = 0.0  # assertions, some of which fail
    faults: float = 0.0  # statements that can fault
    ticks: float = 0.0  # a process that can always go on, so that there is no deadlock
    time: float = 0.0
    interrupts: float = 0.0
    inputs: float = 0.0
    selects: float = 0.0
    calls: float = 0.0  # of processes that wait
    recursion: float = 0.0
    creates: float = 0.0  # at run time
    gifts: float = 0.0  # ports in messages
    servers: float = 0.0
    twins: float = 0.0  # instances that are told apart by a number at most
    names: float = 0.0  # numbers that name instances
    tells_apart: float = 0.0  # names that are computed with, put in order, or compared with constants
    channel_arrays: float = 0.0
    watchers: float = 0.0  # names under other names
    quiet: float = 0.0  # programs in which nobody communicates
    plain: float = 0.0  # programs without what is made at run time, time, or anybody outside
    clusters: float = 0.0  # processes with variables of their own, that speak with few others
    shared: float = 0.0  # variables of the module in all of them
    world: float = 0.0  # processes of an environment that talk to each other
    meets: float = 0.0  # an environment that speaks on the program's channels
    looks: float = 0.0  # and that looks at its variables
    busy: float = 0.0  # devices that do not wait at once again
    nested_access: float = 0.0  # a device that accesses another device
    steers: float = 0.0  # devices whose answers change by themselves
    properties: bool = False


class Writer:
    """One program, of one generator of random numbers."""

    def __init__(self, rng: random.Random, weights: Weights) -> None:
        self.rng = rng
        self.weights = weights

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def one_of(self, shares: Mapping[str, float]) -> str:
        """A key, by its share; the last one has what the others leave of 1."""
        drawn, passed = self.rng.random(), 0.0
        for key, share in shares.items():
            passed += share
            if drawn < passed:
                return key
        return key


class FormulaWriter(Writer):
    """Writes formulas over the atoms that a program offers."""

    def atom(self) -> str:
        raise NotImplementedError

    def formula(self, depth: int) -> str:
        if depth == 0 or self.chance(0.15):
            return self.atom()
        inner = self.formula(depth - 1)
        match self.rng.randrange(6):
            case 0:
                return f"ALWAYS ({inner})"
            case 1:
                return f"EVENTUALLY ({inner})"
            case 2:
                return f"ALWAYS (({self.atom()}) IMPLIES EVENTUALLY ({inner}))"
            case 3:
                return f"({inner}) UNTIL ({self.formula(depth - 1)})"
            case 4:
                return f"EVENTUALLY ALWAYS ({inner})"
        return f"({inner}) OR ({self.formula(depth - 1)})"


def module(name: str, imports: Iterable[str], lines: Sequence[str], starts: Sequence[str]) -> str:
    """The text of a module: what it imports, its declarations, and the statements of its initialisation."""
    imported = ", ".join(imports)
    return "\n".join(
        [
            f"MODULE {name};",
            *([f"IMPORT {imported};"] if imported else []),
            *lines,
            "BEGIN",
            "  " + ";\n  ".join(starts),
            f"END {name}.",
            "",
        ]
    )


def imports_of(**used: object) -> list[str]:
    """The names of the modules that are used."""
    return [name for name, there in used.items() if there]


def ticking(name: str = "Tick", server: str = "") -> str:
    """A process that can always go on."""
    return f"PROCESS {name}{server};\nBEGIN\n  LOOP RESCHEDULE END\nEND {name};"

"""The models that checkers are compared on: each in LF and in Promela, with the same actions.

Both texts of one of MODELS must give the same number of states: SPIN counts one less, for it has no initialisation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "models"


@dataclass(frozen=True, slots=True)
class Model:
    title: str
    name: str  # of its files
    constants: dict[str, int] = field(default_factory=dict)
    small: bool = False
    huge: bool = False  # only when all are asked for
    promela_name: str = ""  # of that file, if it is another
    may_wait: bool = False  # ends with servers that wait, which SPIN would call an invalid end state

    def lf(self) -> str:
        text = (FOLDER / f"{self.name}.lf").read_text()
        for name, value in self.constants.items():
            text, found = re.subn(rf"\b{name} = \d+;", f"{name} = {value};", text)
            if found != 1:
                raise ValueError(f"{self.name}.lf does not declare {name} once")
        return text

    def promela(self) -> str:
        return "".join(f"#define {n} {v}\n" for n, v in self.constants.items()) + self.promela_file().read_text()

    def promela_file(self) -> Path:
        return FOLDER / f"{self.promela_name or self.name}.pml"


MODELS = [
    Model("Peterson 3", "peterson", {"N": 3}, small=True),
    Model("Peterson 4", "peterson", {"N": 4}),
    Model("buffer 20", "buffer", {"SIZE": 20}, small=True),
    Model("buffer 20, two producers", "producers", {"SIZE": 20}),
    Model("philosophers 5, forks as processes", "keepers", {"N": 5}),
    Model("philosophers 6, forks as processes", "keepers", {"N": 6}, huge=True),
    Model("philosophers 5", "philosophers", {"N": 5}, small=True),
    Model("philosophers 7", "philosophers", {"N": 7}),
    Model("philosophers 8", "philosophers", {"N": 8}),
    Model("semaphore 5, a process", "semaphore", {"N": 5}, small=True),
    Model("semaphore 14, a variable", "semaphore_variable", {"N": 14}),
    Model("sieve to 25, channels", "sieve", {"LAST": 25, "FILTERS": 9}, small=True, may_wait=True),
    Model("sieve to 50, cells", "cells", {"LAST": 50, "FILTERS": 15}),
    Model("sieve to 60, cells", "cells", {"LAST": 60, "FILTERS": 17}),
    Model("sieve to 50, channels", "sieve", {"LAST": 50, "FILTERS": 15}, huge=True, may_wait=True),
    Model("sliding window 2", "window", {"WINDOW": 2}, small=True),
    Model("sliding window 4", "window", {"WINDOW": 4}),
    Model("sliding window 6", "window", {"WINDOW": 6}),
    Model("leader election 6", "leader", {"N": 6}, small=True),
    Model("leader election 7", "leader", {"N": 7}),
    Model("leader election 8", "leader", {"N": 8}),
]

# In LF only: just over 200,000 states, and no reduction makes them fewer.
UNREDUCED = [Model("counters", "counters", {"LAST": 58}), Model("counters, more", "counters", {"LAST": 72})]

# Each written as one writes it in its language: the same algorithm, not the same actions, nor as many states.
NATURAL = [
    Model("Peterson 3", "mutual", {"N": 3}),
    Model("Peterson 4", "mutual", {"N": 4}),
    Model("buffer 20, a process", "buffer", {"SIZE": 20}, promela_name="store"),
    Model("sieve to 25", "sieve", {"LAST": 25, "FILTERS": 9}, promela_name="sieve_channels", may_wait=True),
    Model("sieve to 60", "sieve", {"LAST": 60, "FILTERS": 17}, promela_name="sieve_channels", may_wait=True, huge=True),
    Model("leader election 6", "ring", {"N": 6}, may_wait=True),
    Model("leader election 8", "ring", {"N": 8}, may_wait=True, huge=True),
    Model("sliding window 2", "window", {"WINDOW": 2}, promela_name="links", may_wait=True),
    Model("sliding window 3", "window", {"WINDOW": 3}, promela_name="links", may_wait=True),
    Model("sliding window 6", "window", {"WINDOW": 6}, promela_name="links", may_wait=True),
]

# Ordinary ones, each as one writes it in its language; the larger ones do not end without reduction.
ORDINARY = [
    Model(
        "sieve to 25, creation in the loop",
        "sieve_loop",
        {"LAST": 25, "FILTERS": 9},
        promela_name="sieve_channels",
        may_wait=True,
    ),
    Model(
        "sieve to 60, creation in the loop",
        "sieve_loop",
        {"LAST": 60, "FILTERS": 17},
        promela_name="sieve_channels",
        may_wait=True,
    ),
    *(Model(f"Milner with workers {n}", "workers", {"N": n}) for n in (6, 10, 12)),
    Model("leader election in variables 8", "leader", {"N": 8}),
    Model("philosophers 8, variables", "philosophers", {"N": 8}),
    Model("philosophers 6, forks as processes", "keepers", {"N": 6}, promela_name="forks"),
    Model("readers and writers 8", "readers", {"N": 8}),
    Model("ring of 8 places with tokens", "tokens", {"N": 8}),
    Model("ring of 10 places with tokens", "tokens", {"N": 10}),
]

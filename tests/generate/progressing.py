"""Random programs of which formulas ask whether something comes at last, as source text: what fairness decides.

A few processes hand on to each other; one or two of them tell
by a flag how far they are, and who else is there matters only through whom it lets go.
"""

from __future__ import annotations

import random

from tests.generate.writer import Weights, module

FORMULAS = [
    "EVENTUALLY (flag[{i}] = 1)",
    "ALWAYS EVENTUALLY (flag[{i}] = 1)",
    "EVENTUALLY ALWAYS (flag[{i}] = 1)",
    "ALWAYS ((flag[{i}] = 1) IMPLIES EVENTUALLY (flag[{k}] # 1))",
    "(EVENTUALLY (flag[{i}] = 1)) OR (ALWAYS EVENTUALLY (flag[{k}] = 0))",
]


def progressing(rng: random.Random, weights: Weights) -> str:
    kinds = rng.randint(2, 5)
    channels = [f"c{i}" for i in range(rng.randint(1, 3))]
    telling = rng.sample(range(kinds), rng.randint(1, 2))
    instances = [i for i in range(kinds) for _ in range(rng.choice([1, 1, 1, 2]))]
    processes = [line for i in range(kinds) for line in process(rng, i, i in telling)]
    if rng.random() < weights.ticks:
        processes += [
            "PROCESS Tick;",
            "VAR n : UINT8;",
            "BEGIN",
            "  LOOP n := (n + 1) MOD 3; RESCHEDULE END",
            "END Tick;",
        ]
        instances.append(kinds)
    starts = [
        "CREATE Tick"
        if i == kinds
        else f"CREATE P{i}({rng.choice(channels)}, {rng.choice(channels)}, {telling_as(i, telling)})"
        for i in instances
    ]
    rng.shuffle(starts)
    formulas = [rng.choice(FORMULAS).format(i=rng.randrange(2), k=rng.randrange(2)) for _ in range(rng.randint(1, 2))]
    lines = [
        "TYPE Ch = [m, n];",
        f"PORT {', '.join(channels)} : Ch;",
        "VAR flag : ARRAY 2 OF UINT8;",
        *processes,
        *(f"PROPERTY p{n} = {formula};" for n, formula in enumerate(formulas)),
    ]
    return module("Progressing", [], lines, [*(f"NEW({c})" for c in channels), *starts])


def telling_as(kind: int, telling: list[int]) -> int:
    return telling.index(kind) if kind in telling else 0


def process(rng: random.Random, number: int, tells: bool) -> list[str]:
    body = [line for _ in range(rng.randint(1, 3)) for line in statement(rng, tells)]
    if tells:
        body.insert(rng.randint(0, len(body)), f"flag[me] := {rng.randint(0, 1)};")
        body.append("flag[me] := 1;")
    if rng.random() < 0.6:
        body = ["LOOP", *("  " + line for line in body), "  RESCHEDULE", "END"]
    return [
        f"PROCESS P{number}(a, b : Ch; me : UINT8);",
        "VAR k : UINT8;",
        "BEGIN",
        *("  " + s for s in body),
        f"END P{number};",
    ]


def statement(rng: random.Random, tells: bool) -> list[str]:
    """Lines that end with a semicolon."""

    def communication() -> str:
        return f"{rng.choice('ab')}{rng.choice('!?')}{rng.choice('mmn')}"

    def act() -> str:
        return rng.choice([communication(), "RESCHEDULE", *([f"flag[me] := {rng.randint(0, 1)}"] * tells)])

    match rng.randrange(8):
        case 0:
            return [f"SELECT WHEN {communication()} THEN {act()} WHEN {communication()} THEN {act()} END;"]
        case 1:
            return [f"SELECT WHEN {communication()} THEN {act()} ELSE RESCHEDULE END;"]
        case 2:
            return [f"CHOICE {act()} | {act()} END;"]
        case 3:
            return ["k := (k + 1) MOD 2;", f"IF k = 0 THEN {act()} END;"]
        case 4:
            return ["RESCHEDULE;", f"{communication()};"]
    return [f"{communication()};"]

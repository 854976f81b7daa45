"""Random programs with branches of CHOICE that are treated fairly, alone or beside a device that chooses answers."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.generate.fair.formulas import random_formula

ATOMS = ["x = 0", "x = 1", "y = 0", "y = 2", "x = y"]


@dataclass(slots=True)
class Marked:
    """A CHOICE, which stands in a line of its own."""

    module: str
    line: int
    branches: int
    mark: str


@dataclass(slots=True)
class Text:
    """`marked`: of this module; a process has a number of instances."""

    r: random.Random
    module: str
    lines: list[str] = field(default_factory=list)
    marked: list[Marked] = field(default_factory=list)

    def choice(self, branches: list[str]) -> None:
        mark = self.r.choice(["", "WEAK", "STRONG", "STRONG"])
        self.lines.append(f"CHOICE {mark} {' | '.join(branches)} END;")
        if mark:
            self.marked.append(Marked(self.module, len(self.lines), len(branches), mark))


def assignment(r: random.Random) -> str:
    return r.choice(["x := (x + 1) MOD 3", "y := (y + 1) MOD 3", "x := y", "y := 0", "x := 1", "y := 2", ""])


def program(r: random.Random, asks: bool) -> Text:
    t = Text(r, "Main")
    t.lines += ["MODULE Main;", "CONST STATUS* = 40H;", "VAR x, y : UINT8;"]
    atom = r.choice(ATOMS)
    often = [f"EVENTUALLY ({atom})", f"ALWAYS EVENTUALLY ({atom})", f"ALWAYS EVENTUALLY ~({atom})"]
    t.lines.append(f"PROPERTY p = {r.choice([*often, random_formula(r, ATOMS, 2)])};")
    for name in ("A", "B")[: r.choice([1, 1, 2])]:
        t.lines += [f"PROCESS {name};", "BEGIN", "LOOP"]
        for _ in range(r.choice([1, 2])):
            kind = r.random()
            if kind < 0.5:
                t.choice([assignment(r) for _ in range(r.choice([2, 2, 3]))])
            elif kind < 0.75 and asks:
                t.lines.append("y := PORTIN(STATUS);")
            else:
                t.lines.append(f"IF {r.choice(ATOMS)} THEN {assignment(r)} END;")
        t.lines += ["RESCHEDULE", "END", f"END {name};"]
    t.lines.append("BEGIN")
    names = [line.split()[1].rstrip(";") for line in t.lines if line.startswith("PROCESS")]
    t.lines += ["; ".join(f"CREATE {n}" for n in names for _ in range(r.choice([1, 1, 2]))), "END Main."]
    return t


def device(r: random.Random) -> Text:
    t = Text(r, "Device")
    t.lines += ["ENVIRONMENT MODULE Device;", "IMPORT Main, SYSTEM;", "PROCESS Registers SERVER;", "BEGIN", "LOOP"]
    t.lines.append("SYSTEM.IOPORT?PORTIN(8, Main.STATUS);")
    t.choice([f"SYSTEM.IOPORT!VALUE({v})" for v in r.sample([0, 1, 2], r.choice([2, 3]))])
    t.lines += [
        "END",
        "END Registers;",
        "BEGIN",
        "CREATE Registers;",
        r.choice(["CREATE Registers", ""]),
        "END Device.",
    ]
    return t

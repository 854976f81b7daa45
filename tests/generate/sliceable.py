"""Random programs for slicing: networks with data, processes and tails that have nothing to do with what is claimed."""

from __future__ import annotations

import random

from tests.generate.networks import Network
from tests.generate.writer import Weights


class Sliceable(Network):
    """`d` variables are data beside; `Other` channels are spoken on by `R` processes only, but where they are mixed."""

    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.kinds = rng.randint(1, 2)
        self.faults = self.faults and self.chance(0.3)
        self.mixed = self.chance(0.3)
        self.others = rng.randint(0, 2)
        self.calls = self.chance(weights.calls)

    def text(self) -> str:
        text = super().text()
        beside = [line for i in range(self.others) for line in self.other(i)]
        beside += ["PROCESS Keep(v : UINT8; VAR to : UINT8); BEGIN to := v END Keep;"]
        safe = f"PROPERTY safe = ALWAYS ({self.shared[0]} {self.rng.choice(['#', '<'])} {self.rng.randint(1, 3)});"
        lines = text.split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith("VAR "))
        head = ["TYPE Other = [o(UINT8), q];", "PORT e0, e1 : Other;", "VAR d0, d1 : UINT8; da : ARRAY 2 OF 0 .. 3;"]
        first = next(i for i, line in enumerate(lines) if line.startswith("PROCESS "))
        begin = lines.index("BEGIN", lines.index("END P0;")) if "END P0;" in lines else lines.index("BEGIN")
        begin = max(i for i, line in enumerate(lines) if line == "BEGIN")
        starts = [
            "  NEW(e0); NEW(e1);",
            *(f"  CREATE R{i}({self.rng.choice(['e0', 'e1'])});" for i in range(self.others)),
        ]
        order = [*lines[: at + 1], *head, *beside, *lines[at + 1 : begin], safe, "BEGIN", *starts, *lines[begin + 1 :]]
        assert first > at
        return "\n".join(order)

    def other(self, number: int) -> list[str]:
        word = self.rng.choice(["a!q", "a?q", "a!o(d0)", "a?o(w)", "RESCHEDULE"])
        acts = [word, self.beside(), self.rng.choice(["RESCHEDULE", self.beside(), word])]
        if self.mixed and self.chance(0.5):
            acts.append(self.rng.choice([f"{self.shared[0]} := {self.rng.randint(0, 3)}", f"{self.channels[0]}!n"]))
        body = ";\n  ".join(acts)
        if self.chance(0.3):
            body = f"LOOP {body} END"
        return [f"PROCESS R{number}(a : Other);", "VAR w : UINT8;", f"BEGIN\n  {body}", f"END R{number};"]

    def beside(self) -> str:
        v = self.rng.choice(["d0", "d1", "da[0]", "da[1]"])
        choices = [
            f"{v} := {self.rng.randint(0, 3)}",
            f"IF d0 = 1 THEN {v} := 2 END",
            "FOR d1 := 0 TO 1 DO d0 := d1 END",
        ]
        if self.calls:
            choices.append(f"Keep({self.rng.choice(['d1', '1', '2'])}, d0)")
        return self.rng.choice(choices)

    def simple(self) -> str:
        if self.chance(0.35):
            return self.beside()
        if self.chance(0.08):
            return f"ASSERT({self.variable()} # {self.rng.randint(1, 3)})"
        if self.chance(0.1):
            return f"IF d1 {self.rng.choice(['=', '#'])} {self.rng.randint(0, 1)} THEN {super().simple()} END"
        return super().simple()

"""Random networks of small processes that share variables and channels, as source text."""

from __future__ import annotations

import random

from tests.generate.writer import FormulaWriter, Weights, imports_of, module, ticking

WORDS = ("m", "n")


class Network(FormulaWriter):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.properties = weights.properties
        self.created = 0
        self.channels = [f"c{i}" for i in range(rng.randint(1, 4))]
        self.shared = [f"g{i}" for i in range(rng.randint(1, 3))]
        self.kinds = rng.randint(2, 4)
        self.busy = rng.random()  # how much communication
        self.asserts = self.chance(weights.asserts)
        self.faults = self.chance(weights.faults)
        self.time = self.chance(weights.time)
        self.interrupts = self.chance(weights.interrupts)
        self.creates = self.chance(weights.creates)
        self.selects = self.chance(weights.selects)
        self.ticks = self.chance(weights.ticks)

    def text(self) -> str:
        processes = [line for i in range(self.kinds) for line in self.process(i)]
        if self.creates:
            processes = [*self.child(), *processes]
        starts = []
        for i in range(self.kinds):
            count = self.rng.choice([1, 1, 1, 2])
            same = f"CREATE P{i}({self.arguments()})"
            alike = self.chance(0.6) and not self.properties  # nothing tells these apart
            starts += [same, *(same if alike else f"CREATE P{i}({self.arguments()})" for _ in range(count - 1))]
        if self.ticks:
            processes.append(ticking())
            starts.append("CREATE Tick")
        news = [f"NEW({c})" for c in self.channels]
        imports = imports_of(Clock=self.time, SYSTEM=self.interrupts)
        lines = [
            "TYPE Ch = [m(UINT8), n];",
            f"PORT {', '.join(self.channels)} : Ch;",
            f"VAR {', '.join(self.shared)} : 0 .. 3; ga : ARRAY 3 OF 0 .. 3;",
            *processes,
        ]
        if self.properties:
            lines += [f"PROPERTY p{i} = {self.formula(2)};" for i in range(self.rng.choice([1, 1, 2]))]
        return module("Network", imports, lines, [*news, *starts])

    def atom(self) -> str:
        k = self.rng.randrange(self.kinds)
        choices = [
            f"{self.rng.choice(self.shared)} {self.rng.choice(['=', '#', '<'])} {self.rng.randint(0, 2)}",
            f"ga[{self.rng.randint(0, 2)}] = {self.rng.randint(0, 2)}",
            f"P{k}.y = {self.rng.randint(0, 2)}",
            f"{self.rng.choice(['READY', 'WAITING', 'ENDED'])}(P{k})",
            f"TAKEN({self.rng.choice(self.channels)}.{self.rng.choice(WORDS)})",
        ]
        return self.rng.choice([choices[0], self.both(), self.both(), *choices])

    def both(self) -> str:
        """What two processes do, each to variables of its own."""
        i, k = self.rng.randint(0, 2), self.rng.randint(0, 2)
        op = self.rng.choice(["&", "OR"])
        return f"(ga[{i}] = {self.rng.randint(0, 2)}) {op} (ga[{k}] {self.rng.choice('=#')} {self.rng.randint(0, 2)})"

    def arguments(self) -> str:
        self.created += 1
        me = self.created % 3 if self.properties else self.rng.randint(0, 2)
        return f"{self.rng.choice(self.channels)}, {self.rng.choice(self.channels)}, {me}"

    def child(self) -> list[str]:
        port = self.rng.choice(["a", *self.channels])
        act = self.rng.choice([f"{port}!n", f"{port}?n", "g0 := 1", f"{port}!m(1)"])
        return ["PROCESS Child(a : Ch) MAX 2;", "BEGIN", f"  {act}", "END Child;"]

    def process(self, number: int) -> list[str]:
        server = " SERVER" if self.chance(0.3) else ""
        body = self.statements(self.rng.randint(1, 4), 1)
        if self.chance(0.7):
            body = [*[line + ";" * (i == 3) for i, line in enumerate(self.glance())], *body]
        if self.chance(0.6):
            body = [*self.race(), *body]
        if self.chance(0.55):
            body = ["LOOP", *("  " + s for s in body), "END"]
        elif self.chance(0.3):
            body = ["FOR k := 0 TO 1 DO", *("  " + s for s in body), "END"]
        return [
            f"PROCESS P{number}(a, b : Ch; me : UINT8){server};",
            "VAR x : 0 .. 3; k, y : UINT8; z : INT8;",
            "BEGIN",
            *("  " + s for s in body),
            f"END P{number};",
        ]

    def statements(self, count: int, depth: int) -> list[str]:
        found: list[str] = []
        for i in range(count):
            lines = self.statement(depth)
            if i + 1 < count:
                lines[-1] += ";"
            found += lines
        return found

    def statement(self, depth: int) -> list[str]:
        if self.chance(0.25 + 0.5 * self.busy):
            if depth and self.selects and self.chance(0.3):
                return self.select()
            if self.time and self.chance(0.2):
                return ["Clock.Sleep(1)"]
            if self.interrupts and self.chance(0.3):
                return ["SYSTEM.INT[1]?INTERRUPT"]
            if self.creates and self.chance(0.2):
                return [f"CREATE Child({self.port()})"]
            return [self.communication()]
        if depth and self.chance(0.25):
            inner = self.statements(self.rng.randint(1, 2), depth - 1)
            otherwise = self.statements(1, depth - 1)
            return [
                f"IF {self.condition()} THEN",
                *("  " + s for s in inner),
                "ELSE",
                *("  " + s for s in otherwise),
                "END",
            ]
        if self.chance(0.1):
            return self.glance()
        return [self.simple()]

    def glance(self) -> list[str]:
        """What is picked is looked at in the next action, and then forgotten."""
        v = self.rng.choice("ky")
        return [
            f"CHOICE {v} := 0 | {v} := {self.rng.randint(1, 2)} END;",
            "RESCHEDULE;",
            f"IF {v} = {self.rng.randint(0, 2)} THEN {self.simple()} END;",
            self.rng.choice(["RESCHEDULE", self.communication()]),
        ]

    def race(self) -> list[str]:
        """What fails if somebody else has come in between."""
        g = self.rng.choice(self.shared)
        found = [f"{g} := {self.rng.randint(0, 2)};", "RESCHEDULE;"]
        asserts = [f"ASSERT({g} # {self.rng.randint(0, 2)});"] * (self.asserts and self.chance(0.8))
        fails = [f"x := {g} + {self.rng.randint(1, 3)};"] * (self.faults and self.chance(0.6))
        return [*found, *asserts, *fails] if asserts or fails else []

    def port(self) -> str:
        return self.rng.choice(["a", "b", "a", "b", self.rng.choice(self.channels)])

    def communication(self) -> str:
        port = self.port()
        if self.chance(0.5):
            return f"{port}!{self.rng.choice(['n', f'm({self.value()})'])}"
        target = self.rng.choice(["x", "y", "y", self.rng.choice(self.shared), "1", "ga[me]"])
        if self.properties:
            target = "y"  # any other may be too small
        return f"{port}?{self.rng.choice(['n', f'm({target})'])}"

    def select(self) -> list[str]:
        lines = ["SELECT"]
        for _ in range(self.rng.randint(1, 3)):
            guard = f" & ({self.condition()})" if self.chance(0.3) else ""
            lines.append(f"  WHEN {self.communication()}{guard} THEN {self.simple()}")
        if self.time and self.chance(0.3):
            lines.append(f"  WHEN Clock.After(2) THEN {self.simple()}")
        if self.chance(0.25):
            lines.append(f"ELSE {self.rng.choice(['RESCHEDULE', self.simple()])}")
        return [*lines, "END"]

    def value(self) -> str:
        return self.rng.choice(["0", "1", "2", "y", "k", self.rng.choice(self.shared)])

    def variable(self) -> str:
        return self.rng.choice([*self.shared, "ga[me]", "ga[(me + 1) MOD 3]"])

    def condition(self) -> str:
        left = self.rng.choice(["y", "k", self.variable(), "me"])
        return f"{left} {self.rng.choice(['=', '#', '<', '>='])} {self.rng.randint(0, 2)}"

    def simple(self) -> str:
        if self.properties and self.chance(0.6):
            return f"ga[me] := {self.rng.randint(0, 2)}"
        g = self.variable()
        choices = [
            "RESCHEDULE",
            "RESCHEDULE",
            f"{g} := {self.rng.randint(0, 2)}",
            f"y := {g}",
            f"y := (y + 1) MOD {self.rng.randint(2, 3)}",
            f"IF {self.condition()} THEN {g} := {self.rng.randint(0, 2)} END",
            "IF z < 2 THEN INC(z) END",
        ]
        if self.asserts:
            choices += [f"ASSERT({g} # {self.rng.randint(1, 3)})"] * 3
        if self.faults:
            choices += [f"{g} := {g} + 1", "x := x + 1"] * 2
        return self.rng.choice(choices)

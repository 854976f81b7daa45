"""Random programs whose processes come and go, as source text: created at run time, with ports that wander.

Processes create others with ports that they hold, in arrays, from
messages or new; slots are used again; `SELECT`s look at one channel or at several, poll, or wait for time; some
communicate in calls. With properties it has some, and little in it can fail.
"""

from __future__ import annotations

import random

from tests.generate.writer import FormulaWriter, Weights, imports_of, module, ticking

DECLARATIONS = """TYPE Ch = [m(UINT8), n]; Give = [give(Ch)];
PORT {ports} : Ch; arr : ARRAY 2 OF Ch MAX 2; h : Give;
VAR g : UINT8; small : 0 .. 2; flags : ARRAY 2 OF UINT8;"""

PROCESS = """PROCESS P{number}(a, b : Ch; w : UINT8) MAX {most}{server};
VAR k, t, y : UINT8; x : 0 .. 2; PORT l : Ch MAX 3;
BEGIN
  {first};
  {body}
END P{number};"""

ASK = """PROCESS Ask(c : Ch; VAR answer : UINT8);
VAR t : UINT8;
BEGIN
  {body}
END Ask;"""

# What a statement is, by its share; a creation only where there is a process to create.
STATEMENTS = {"communicate": 0.3, "work": 0.25, "select": 0.15, "create": 0.08, "port": 0.08, "give": 0.04}
STATEMENTS |= {"special": 0.04, "choice": 0.03, "if": 0.03}


class Created(FormulaWriter):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.properties = weights.properties
        self.timed = self.chance(weights.time)
        self.interrupts = self.chance(weights.interrupts)
        self.calls = self.chance(weights.calls)
        self.ticks = self.chance(weights.ticks)
        self.asserts = rng.choice([0.0, 0.2, 0.4]) * weights.asserts
        self.faults = rng.choice([0.0, 0.4, 0.6]) * weights.faults
        self.channels = ["p0", "p1", "p2"][: rng.randint(1, 3)]
        self.kinds = rng.randint(2, 4)

    def text(self) -> str:
        processes = [self.process(i) for i in range(self.kinds)]
        if self.calls:
            answers = ["c?m(answer)", "c!m(answer)", "c?m(t); answer := t MOD 2", "answer := g; RESCHEDULE; c!n"]
            processes.append(ASK.format(body=self.rng.choice(answers)))
        if self.ticks:
            processes.append(ticking(server=self.rng.choice(["", " SERVER"])))
        starts = [s for kind in range(self.kinds) for s in self.starts(kind)]
        starts += ["CREATE Tick"] * self.ticks
        self.rng.shuffle(starts)
        begin = [f"NEW({c})" for c in [*self.channels, "h"]]
        begin += [f"arr[{i}] := {self.rng.choice(self.channels)}" for i in range(2)]
        imports = imports_of(Clock=self.timed, SYSTEM=self.interrupts)
        formulas = [f"PROPERTY q{i} = {self.formula(2)};" for i in range(self.rng.choice([1, 1, 2]))]
        declarations = DECLARATIONS.format(ports=", ".join(self.channels))
        lines = [declarations, *processes, *(formulas if self.properties else [])]
        return module("Created", imports, lines, [*begin, *starts])

    def starts(self, kind: int) -> list[str]:
        """Of some kinds nobody is there at first; of some two or three, whom nothing tells apart."""
        if kind and self.chance(0.3):
            return []
        count = self.rng.choice([1, 1, 2, 2, 3]) if kind == 0 else self.rng.choice([1, 1, 2])
        same = f"CREATE P{kind}({self.arguments()})"
        return [same] * count if self.chance(0.7) else [f"CREATE P{kind}({self.arguments()})" for _ in range(count)]

    def arguments(self) -> str:
        return f"{self.rng.choice(self.channels)}, {self.rng.choice(self.channels)}, {self.rng.randint(0, 1)}"

    def process(self, number: int) -> str:
        body = ";\n  ".join(self.statement(number, 0) for _ in range(self.rng.randint(1, 4)))
        if self.asserts and self.chance(0.5):  # it fails if somebody else has come in between
            body = f"g := {self.rng.randint(0, 2)};\n  RESCHEDULE;\n  ASSERT(g # {self.rng.randint(0, 2)});\n  {body}"
        picked = "CHOICE t := 0 | t := 1 END;\n  RESCHEDULE;\n "
        if self.chance(0.4):  # what is picked is looked at in the next action, and then forgotten
            body = f"{picked} IF t = 1 THEN {self.work()} END;\n  RESCHEDULE;\n  {body}"
        if self.faults and self.chance(0.25):
            body = f"{picked} x := INT16(t + {self.rng.randint(1, 2)});\n  {body}"
        shape = self.rng.random()
        if shape < 0.2:
            body = f"LOOP {body}; RESCHEDULE END"
        elif shape < 0.3:
            body = f"FOR k := 0 TO 1 DO {body} END"
        return PROCESS.format(
            number=number,
            most=self.rng.randint(3, 4),
            server=self.rng.choice([" SERVER", "", ""]),
            first=self.rng.choice(["l := a", "l := b", "NEW(l)", f"l := {self.rng.choice(self.channels)}"]),
            body=body,
        )

    def port(self) -> str:
        places = ["a", "b"] * 5 + [self.rng.choice(self.channels)] * 4
        return self.rng.choice([*places, "l", "l", f"arr[{self.rng.randint(0, 1)}]", "arr[k MOD 2]"])

    def communication(self) -> str:
        port = self.port()
        number = self.rng.randint(0, 2)
        receives = [f"{port}?m(y)", f"{port}?m(y)", f"{port}?m(g)", f"{port}?n", f"{port}?m({number})"]
        if self.faults and self.chance(self.faults):
            receives.append(f"{port}?m(x)")  # which may be too small
        return self.rng.choice([f"{port}!m(k)", f"{port}!m({number})", f"{port}!n", *receives])

    def work(self) -> str:
        if self.chance(self.asserts):
            return self.rng.choice(
                ["ASSERT(g # 2)", "ASSERT(y # 1)", "ASSERT(k + y < 3)", "ASSERT(flags[w MOD 2] # 1)"]
            )
        if self.chance(self.faults):
            return self.rng.choice(
                ["small := small + 1", "x := x + 1", "flags[y] := 1", "g := 2 DIV g", "flags[k] := y"]
            )
        return self.rng.choice(
            [
                "RESCHEDULE",
                "RESCHEDULE",
                f"g := {self.rng.randint(0, 2)}",
                "g := (g + 1) MOD 3",
                "k := (k + 1) MOD 3",
                "y := g",
                "y := 0",
                "k := 0",
                f"flags[{self.rng.choice('kw')} MOD 2] := {self.rng.randint(1, 2)}",
                "y := flags[w MOD 2]",
            ]
        )

    def statement(self, kind: int, depth: int) -> str:
        match self.one_of(STATEMENTS):
            case "communicate":
                return self.communication()
            case "work":
                return self.work()
            case "select":
                return self.select()
            case "create" if kind + 1 < self.kinds and depth < 2:
                other = self.rng.randint(kind + 1, self.kinds - 1)
                return f"CREATE P{other}({self.port()}, {self.port()}, {self.rng.choice(['0', '1', 'w', 'k'])})"
            case "create" | "port":
                place = self.rng.choice(["l", "l", f"arr[{self.rng.randint(0, 1)}]"])
                return f"NEW({place})" if self.chance(0.5) and not self.properties else f"{place} := {self.port()}"
            case "give":
                return self.rng.choice([f"h!give({self.port()})", "h?give(l)", "h?give(arr[0])"])
            case "special":
                return self.special()
            case "choice":
                return f"CHOICE {self.work()} | {self.work()} END"
        return f"IF k < 1 THEN {self.work()} ELSE {self.statement(kind, depth + 1)} END"

    def special(self) -> str:
        choices = [f"Clock.Sleep({self.rng.randint(0, 2)})"] * self.timed
        choices += ["SYSTEM.INT[1]?INTERRUPT"] * self.interrupts
        choices += [f"Ask({self.port()}, {self.rng.choice('yk')})"] * self.calls
        return self.rng.choice(choices or [self.communication()])

    def select(self) -> str:
        port, sends = self.port(), self.chance(0.5)
        on_one = self.chance(0.4)  # all that it waits for is on one side of one channel
        clauses = []
        for _ in range(self.rng.randint(1, 3)):
            event = self.communication()
            if on_one:
                event = port + self.rng.choice(["!m(k)", "!n"] if sends else ["?m(y)", "?n"])
            clauses.append(f"WHEN {event}{self.guard()} THEN {self.work()}")
        if self.timed and self.chance(0.4):
            clauses.append(f"WHEN Clock.After({self.rng.randint(0, 2)}) THEN {self.work()}")
        otherwise = f" ELSE {self.work()}" if self.chance(0.2) else ""
        return f"SELECT {' '.join(clauses)}{otherwise} END"

    def guard(self) -> str:
        return self.rng.choice(["", "", "", "", " & (k < 2)", " & (g # 1)", " & (y # 1)", " & (g < 2)"])

    def atom(self) -> str:
        process = f"P{self.rng.randrange(self.kinds)}{self.rng.choice(['', '', '[1]'])}"
        choices = [
            f"g {self.rng.choice('=#<')} {self.rng.randint(0, 2)}",
            f"flags[{self.rng.randint(0, 1)}] = {self.rng.randint(0, 2)}",
            f"{process}.{self.rng.choice('yk')} {self.rng.choice('=#')} {self.rng.randint(0, 2)}",
            f"{self.rng.choice(['READY', 'WAITING'])}({process})",
            f"ENDED({process[:2]})",
            f"TAKEN({self.rng.choice(self.channels)}.{self.rng.choice('mn')})",
        ]
        return self.rng.choice(choices)

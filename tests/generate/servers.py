"""Random networks of servers, clients and pipelines on channels of their own, as source text.

Most channels have one process on each side, which is what partial order
reduction makes use of; some have more, some ports are passed on in messages, and some actions touch what all share.
"""

from __future__ import annotations

import random

from tests.generate.writer import Weights, Writer, ticking

HEAD = """MODULE Serving;
TYPE Ch = [m(UINT8), n]; Give = [give(Ch)];
PORT {ports} : Ch; h : Give;
VAR g, total : 0 .. 3; w : UINT8; i : UINT8;"""

PASSING = """PROCESS Giver(c : Ch);
BEGIN
  h!give(c){then}
END Giver;
PROCESS Taker;
VAR y : UINT8; PORT d : Ch;
BEGIN
  h?give(d);
  {use}
END Taker;"""

FILTER = """PROCESS Filter(in : Ch) MAX 3 SERVER;
VAR first, x : UINT8; PORT out : Ch MAX 3;
BEGIN
  in?m(first);
  in?m(x);
  NEW(out);
  CREATE Filter(out);
  LOOP
    IF x # first THEN out!m(x) END;
    in?m(x){check}
  END
END Filter;
PROCESS Feeder(out : Ch);
VAR x : UINT8;
BEGIN
  FOR x := 1 TO {last} DO out!m(x MOD 3) END
END Feeder;"""


class Serving(Writer):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.channels = [f"c{k}" for k in range(rng.randint(2, 4))]
        self.entangled = rng.choice([0.0, 0.1, 0.4])  # how often an action touches what all share
        self.shared_sides = rng.choice([0.0, 0.0, 0.3])
        self.asserts = self.chance(weights.asserts)
        self.faults = self.chance(weights.faults)
        self.ticks = self.chance(weights.ticks)
        self.texts: list[str] = []
        self.starts: list[str] = []

    def text(self) -> str:
        count = self.rng.randint(1, 2)
        for k in range(count):
            self.server(k)
        for k, channel in enumerate(self.channels):
            self.client(k, channel)
        if self.chance(self.weights.gifts):
            use = self.rng.choice(["d!m(1)", "d?m(y)", "d!n", "LOOP d?m(y) END", "d?n; d!m(0)"])
            self.texts.append(PASSING.format(then=self.rng.choice(["", "; c!m(2)", "; c?n"]), use=use))
            self.starts += [f"CREATE Giver({self.rng.choice(self.channels)})", "CREATE Taker"]
        ports = list(self.channels)
        if self.chance(self.weights.creates):
            check = self.rng.choice(["", "; ASSERT(x # first)", f"; g := {self.rng.randint(0, 3)}"])
            self.texts.append(FILTER.format(check=check, last=self.rng.randint(2, 5)))
            ports.append("f")
            self.starts += ["CREATE Filter(f)", "CREATE Feeder(f)"]
        if self.ticks:
            self.texts.append(ticking())
            self.starts.append("CREATE Tick")
        self.rng.shuffle(self.starts)
        news = [f"NEW({c})" for c in [*ports, "h"]]
        body = ";\n  ".join([*news, *self.starts])
        return "\n".join([HEAD.format(ports=", ".join(ports)), *self.texts, "BEGIN", f"  {body}", "END Serving.", ""])

    def server(self, number: int) -> None:
        mine = [c for k, c in enumerate(self.channels) if k % 2 == number or self.chance(self.shared_sides)]
        if not mine:
            return
        formals = ", ".join(f"{c}" for c in (f"a{k}" for k in range(len(mine))))
        clauses = [self.clause(f"a{k}") for k in range(len(mine))]
        if self.chance(0.3):
            clauses.append(self.clause("a0"))
        select = ["SELECT", *clauses, *(["ELSE RESCHEDULE"] if self.chance(0.05) else []), "END"]
        if len(clauses) == 1 and self.chance(0.5):
            select = [self.rng.choice(["a0?m(y)", "a0!m(y)", "a0?n"])]
        if self.chance(0.2):
            select[-1] += f"; {self.work()}"
        loop = self.rng.choice(["LOOP", "LOOP", "FOR k := 0 TO 2 DO"])
        self.texts.append(
            f"PROCESS Server{number}({formals} : Ch){self.rng.choice([' SERVER', ''])};\n"
            f"VAR y, k, z : UINT8; x : 0 .. 2;\nBEGIN\n  {loop}\n    "
            + "\n    ".join(select)
            + f"\n  END\nEND Server{number};"
        )
        self.starts.append(f"CREATE Server{number}({', '.join(mine)})")

    def clause(self, port: str) -> str:
        event = self.rng.choice([f"{port}?m(y)", f"{port}?m(y)", f"{port}!m(z)", f"{port}?n", f"{port}!n"])
        guard = self.rng.choice(["", "", " & (z < 2)", " & (z > 0)", f" & (g # {self.rng.randint(0, 3)})"])
        if "g" in guard and not self.chance(self.entangled):
            guard = ""
        return f"  WHEN {event}{guard} THEN {self.work()}"

    def work(self) -> str:
        if self.chance(self.entangled):
            return self.rng.choice(
                [f"g := {self.rng.randint(0, 2)}", "w := w + 1; w := w MOD 3", "total := 1", "y := g"]
            )
        choices = ["z := (z + 1) MOD 3", "z := 1 - z MOD 2", "y := 0", "z := y MOD 3", "RESCHEDULE"]
        if self.asserts:
            choices += ["ASSERT(z # 1)", "ASSERT(y # 2)", "ASSERT(y + z < 3)", "ASSERT(g # 2)"] * 3
        if self.faults:
            choices += ["x := x + 1", "x := INT16(z) + INT16(y)", "x := INT16(y + 1)"] * 3
        return self.rng.choice(choices)

    def failing(self) -> list[str]:
        """What fails if somebody else has come in between, or one picks so."""
        g = self.rng.choice(["g", "total"])
        found = []
        if self.asserts and self.chance(0.25):
            found += [f"{g} := {self.rng.randint(0, 2)}", "RESCHEDULE", f"ASSERT({g} # {self.rng.randint(0, 2)})"]
        if self.faults and self.chance(0.5):
            found += ["CHOICE z := 0 | z := 1 END", "RESCHEDULE", f"x := INT16(z + {self.rng.randint(1, 2)})"]
        return found

    def client(self, number: int, channel: str) -> None:
        other = self.rng.choice(self.channels)
        lines = self.failing()
        for _ in range(self.rng.randint(1, 3)):
            port = "b" if self.chance(0.2) else "a"
            lines.append(
                self.rng.choice(
                    [f"{port}!m(z)", f"{port}!m({self.rng.randint(1, 2)})", f"{port}?m(y)", f"{port}!n", f"{port}?n"]
                )
            )
            if self.chance(0.6):
                lines.append(self.work())
        loop = self.rng.choice(["LOOP", "FOR k := 0 TO 1 DO", ""])
        body = ";\n  ".join(lines)
        if loop:
            body = f"{loop}\n  {body}\n  END"
        self.texts.append(
            f"PROCESS Client{number}(a, b : Ch){self.rng.choice(['', '', ' SERVER'])};\n"
            f"VAR y, k, z : UINT8; x : 0 .. 2;\nBEGIN\n  {body}\nEND Client{number};"
        )
        for _ in range(2 if self.chance(0.4) else 1):
            self.starts.append(f"CREATE Client{number}({channel}, {other})")

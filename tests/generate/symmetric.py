"""Random programs with instances that can be exchanged, and such that only seem so, as source text.

Several processes of one kind are created in a loop, with or without their number; channels are made in loops, by the
instances themselves, sent on and kept; numbers of instances are compared and sent, or computed with, put in order
and used as indices.
"""

from __future__ import annotations

import random

from tests.generate.writer import Weights, Writer, ticking


class Symmetric(Writer):
    def __init__(self, rng: random.Random, weights: Weights, failing: random.Random, formulas: random.Random) -> None:
        super().__init__(rng, weights)
        self.may_fail = failing
        self.properties = formulas if weights.properties else None
        self.count = rng.choice([2, 2, 3, 3, 4])
        self.kinds = rng.choice([1, 1, 2])
        self.numbered = [self.chance(weights.names) for _ in range(self.kinds)]  # instances get their numbers
        self.own_channel = [rng.random() < 0.5 for _ in range(self.kinds)]
        self.calls = self.chance(weights.calls)
        self.server = self.chance(weights.servers)
        self.in_array = self.chance(weights.channel_arrays)  # channels in an array of the module, one for each instance
        self.asserts = self.chance(weights.asserts)
        self.faults = self.chance(weights.faults)
        self.ticks = self.chance(weights.ticks)
        self.most = rng.choice([1, 2, 2])

    def text(self) -> str:
        lines = ["MODULE Symmetric;", "TYPE", "  Back = [v(UINT8), n];", "  Ch = [m(UINT8), r(Back), n];"]
        lines += ["PORT c, d : Ch;"]
        if self.in_array:
            lines += [f"PORT all : ARRAY {self.count} OF Back;"]
        lines += [f"VAR i : INTEGER; g, h : 0 .. 3; ga : ARRAY {self.count} OF 0 .. 3; who : UINT8;"]
        if self.calls:
            lines += self.called()
        for kind in range(self.kinds):
            lines += self.kind(kind)
        if self.server:
            lines += self.serving()
        if self.ticks:
            lines.append(ticking())
        if self.properties is not None:
            lines += [f"PROPERTY p{i} = {self.formula(self.properties, 2)};" for i in range(2)]
        lines += ["BEGIN", *("  " + x for x in separated(self.starts())), "END Symmetric.", ""]
        return "\n".join(lines)

    def starts(self) -> list[str]:
        found = ["NEW(c)", "NEW(d)"]
        if self.in_array:
            found.append(f"FOR i := 0 TO {self.count - 1} DO NEW(all[i]) END")
        for kind in range(self.kinds):
            created = f"CREATE P{kind}({', '.join(self.arguments(kind))})"
            found.append(f"FOR i := 0 TO {self.count - 1} DO {created} END")
        if self.ticks:
            found.append("CREATE Tick")
        if self.server:
            found += ["CREATE Serve(c)"] * self.rng.choice([1, 1, 2])
        if self.chance(0.15):
            found.insert(self.rng.randint(2, len(found)), self.rng.choice(["c?n", "d!n", "c!m(1)"]))
        if self.chance(0.1):
            found.append(self.rng.choice(["c?n", "d?m(1)", "c!n"]))
        return found

    def arguments(self, kind: int) -> list[str]:
        found = ["c"]
        if self.numbered[kind]:
            found.append(f"UINT8(i + {self.rng.choice([0, 1])})")
        if self.in_array:
            found.append("all[i]")
        return found

    def formals(self, kind: int) -> str:
        found = ["a : Ch"]
        if self.numbered[kind]:
            found.append("me : UINT8")
        if self.in_array:
            found.append("mine : Back")
        return "; ".join(found)

    def kind(self, kind: int) -> list[str]:
        own = self.own_channel[kind] and not self.in_array
        body = ["NEW(mine)"] if own else []
        inner = [x for _ in range(self.rng.randint(1, self.most + 1)) for x in self.statement(kind)]
        inner += self.failing()
        if self.chance(0.5):
            inner.append("RESCHEDULE")  # no action without end
            body += ["LOOP", *("  " + x for x in separated(inner)), "END"]
        else:
            body += inner
        ports = "mine, got" if own else "got"
        return [
            f"PROCESS P{kind}({self.formals(kind)}){' SERVER' if self.chance(0.25) else ''};",
            f"VAR y, k : UINT8; x : 0 .. 3; own : ARRAY 2 OF UINT8; PORT {ports} : Back;",
            "BEGIN",
            *("  " + x for x in separated(body)),
            f"END P{kind};",
        ]

    def has_port(self, kind: int) -> bool:
        return self.in_array or self.own_channel[kind]

    def statement(self, kind: int) -> list[str]:
        choices = [
            [self.communication()],
            [self.communication()],
            ["RESCHEDULE", self.simple(kind)],
            ["CHOICE y := 0 | y := 1 END", "RESCHEDULE", f"IF y = 1 THEN {self.simple(kind)} END"],
            [f"IF g = {self.rng.randint(0, 1)} THEN {self.simple(kind)} END", "RESCHEDULE"],
            ["k := k MOD 2", "a?m(own[k])"],
        ]
        if self.calls:
            choices += [["Ask(y)"], ["Ask(own[1])"], ["Ask(own[1])"]]
        if self.has_port(kind):
            choices += [["a!r(mine)", f"mine?v({self.rng.choice('yk')})"]] * 3
            choices += [["SELECT WHEN mine?v(y) THEN RESCHEDULE WHEN a!n THEN " + self.simple(kind) + " END"]]
        else:
            choices += [["a?r(got)", f"got!v({self.value(kind)})"]]
        if self.numbered[kind]:
            choices += [[self.with_number()], [self.with_number()], [f"a!m({self.rng.choice(['me', 'me', 'me + 1'])})"]]
        return self.rng.choice(choices)

    def failing(self) -> list[str]:
        """Beside all else, what fails when enough instances have come by."""
        if self.properties is not None:
            return []
        if self.may_fail.random() < 0.15:
            return ["g := (g + 1) MOD 4", "RESCHEDULE", f"ASSERT(g # {self.may_fail.randint(1, 3)})"]
        return ["h := h + 1"] if self.may_fail.random() < 0.1 else []

    def formula(self, rng: random.Random, depth: int) -> str:
        if depth == 0 or rng.random() < 0.1:
            return self.atom(rng)
        inner = self.formula(rng, depth - 1)
        return rng.choice(
            [
                f"ALWAYS ({inner})",
                f"EVENTUALLY ({inner})",
                f"ALWAYS (({self.atom(rng)}) IMPLIES EVENTUALLY ({inner}))",
                f"ALWAYS EVENTUALLY ({inner})",
                f"EVENTUALLY ALWAYS ({inner})",
                f"({inner}) UNTIL ({self.atom(rng)})",
                f"NEXT ({inner})",
                f"({inner}) OR ({self.formula(rng, depth - 1)})",
            ]
        )

    def atom(self, rng: random.Random) -> str:
        """Most say the same of states that can be exchanged."""
        one = [f"{rng.choice('gh')} = {rng.randint(0, 2)}"] * 3
        one += [f"ga[{rng.randrange(self.count)}] = 1", f"who = {rng.randint(0, 2)}", "ENDED(P0)"]
        one += [f"TAKEN({rng.choice('cd')}.{rng.choice(['n', 'm', 'r'])})"] * 2
        if self.server:
            one += ["READY(Serve)", "WAITING(Serve)", "Serve.y = 1"]
        if rng.random() < 0.1:
            one = [f"{rng.choice(['READY', 'WAITING'])}(P0[{rng.randrange(self.count)}])", "P0.y = 1", "P0[1].k = 0"]
        return ("~" if rng.random() < 0.3 else "") + f"({rng.choice(one)})"

    def with_number(self) -> str:
        """Some take it for a name, some for a number."""
        return self.rng.choice(
            [
                "who := me",
                "IF who = me THEN g := 1 END",
                "IF who # me THEN g := 0 END",
                f"ga[me MOD {self.count}] := 1",
                "IF me < 2 THEN g := 1 END",
                "y := me",
                "IF me = 1 THEN h := 1 END",
                "y := (me + 1) MOD 3",
                f"IF ga[me MOD {self.count}] = 1 THEN RESCHEDULE END",
            ]
        )

    def communication(self) -> str:
        port = self.rng.choice(["a", "a", "d"])
        return self.rng.choice(
            [f"{port}!n", f"{port}?n", f"{port}!m(1)", f"{port}!m(y)", f"{port}?m(y)", f"{port}?m(k)", f"{port}?m(1)"]
        )

    def value(self, kind: int) -> str:
        return self.rng.choice(["1", "y", *(["me"] if self.numbered[kind] else [])])

    def simple(self, kind: int) -> str:
        choices = [f"g := {self.rng.randint(0, 2)}", f"h := {self.rng.randint(0, 2)}", "y := g", "g := (g + 1) MOD 3"]
        if self.asserts:
            choices += [f"ASSERT(g # {self.rng.randint(1, 3)})", "ASSERT((g # 1) OR (h # 1))"] * 2
        if self.faults:
            choices += ["x := x + 1", "g := g + 1"]
        if self.numbered[kind]:
            choices.append(self.with_number())
        return self.rng.choice(choices)

    def called(self) -> list[str]:
        port = self.rng.choice("cd")
        body = self.rng.choice(
            [[f"{port}?m(answer)"], [f"{port}?m(t)", "answer := t MOD 2"], [f"{port}!n", "answer := 1"]]
        )
        return ["PROCESS Ask(VAR answer : UINT8);", "VAR t : UINT8;", "BEGIN", *separated(body), "END Ask;"]

    def serving(self) -> list[str]:
        kept = self.chance(0.4)
        clauses = [
            "WHEN a?r(p) THEN " + self.rng.choice(["p!v(1)", "p!v(g)", "q := p; RESCHEDULE" if kept else "p!v(0)"]),
            "WHEN a?n THEN "
            + self.rng.choice(["RESCHEDULE", "g := 1", "IF p = q THEN h := 1 END" if kept else "g := 0"]),
        ]
        if self.chance(0.6):
            clauses.append("WHEN a?m(y) THEN " + self.rng.choice(["g := y MOD 3", "RESCHEDULE", "who := y"]))
        if self.chance(0.5):
            clauses.append("WHEN a!m(1) THEN RESCHEDULE")
        server = " SERVER" if self.chance(0.8) else ""
        return [
            f"PROCESS Serve(a : Ch){server};",
            "VAR y : UINT8; PORT p, q : Back;",
            "BEGIN",
            "  LOOP",
            "    SELECT",
            *("      " + c for c in clauses),
            "    END",
            "  END",
            "END Serve;",
        ]


def separated(statements: list[str]) -> list[str]:
    """With semicolons between; what already stands inside of another is left."""
    found = []
    for i, s in enumerate(statements):
        opens = s.strip() == "LOOP"
        last = i + 1 == len(statements) or statements[i + 1].strip() == "END"
        found.append(s if opens or last or s.endswith(";") else s + ";")
    return found

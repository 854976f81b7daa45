"""Random programs of processes that speak over arrays of ports: made in loops, with ports or places as arguments.

In some of them who waits where is known when they are compiled; in others something is in the way, or several wait on
one channel.
"""

from __future__ import annotations

from tests.generate.writer import Writer, module


class Ring(Writer):
    def text(self) -> str:
        self.n = n = self.rng.randint(2, 4)
        self.kinds = self.rng.randint(1, 2)
        lines = [
            f"CONST N = {n};",
            "TYPE L = [a(0 .. 2), b];",
            "VAR i : UINT8; total : 0 .. 2;",
            "PORT c : ARRAY N OF L; hub : L;",
            *(line for k in range(self.kinds) for line in self.process(k)),
            *self.server(),
        ]
        starts = [self.news(), "NEW(hub)", *self.in_between(), *self.creations()]
        if self.chance(self.weights.creates):
            lines += ["PROCESS Maker;", "BEGIN", f"  CREATE P0({self.ends('0', '1')}, 0)", "END Maker;"]
            starts.append("CREATE Maker")
        if self.chance(self.weights.servers):
            starts.append("CREATE Hub")
        lines += ["PROCESS First;", f"BEGIN c[{self.rng.randrange(n)}]!a({self.rng.randint(0, 2)}) END First;"]
        return module("Ring", "", lines, [*starts, "CREATE First"])

    def news(self) -> str:
        return self.one_of(
            {
                "FOR i := 0 TO N - 1 DO NEW(c[i]) END": 0.6,
                "FOR i := N - 1 TO 0 BY -1 DO NEW(c[i]) END": 0.2,
                "i := 0; WHILE i < N DO NEW(c[i]); INC(i) END": 0.1,
                "; ".join(f"NEW(c[{i}])" for i in range(self.n)): 0.1,
            }
        )

    def in_between(self) -> list[str]:
        return [self.rng.choice(["total := 1", "c[0]!b", "RESCHEDULE", "NEW(c[0])"])] if self.chance(0.15) else []

    def ends(self, here: str, there: str) -> str:
        first, second = f"c[{here}]", f"c[{there}]"
        return f"{second}, {first}" if self.chance(0.1) else f"{first}, {second}"

    def creations(self) -> list[str]:
        step = self.rng.randint(1, self.n)
        index = self.rng.choice([f"(i + {step}) MOD N", f"(i + {step}) MOD N", "i", "N - 1 - i", "i * 1"])
        loop = f"FOR i := 0 TO N - 1 DO CREATE P0({self.ends('i', index)}, i) END"
        made = [loop]
        if self.chance(0.2):
            made = [f"CREATE P0({self.ends(str(k), str((k + step) % self.n))}, {k})" for k in range(self.n)]
        if self.kinds == 2:
            k = self.rng.randrange(self.n)
            made.append(f"CREATE P1({self.ends(str(k), self.rng.choice(['0', 'N - 1']))}, {k})")
        if self.chance(0.15):
            made.append("IF total = 0 THEN CREATE P0(c[0], c[0], 0) END")
        return made

    def process(self, k: int) -> list[str]:
        own = self.rng.choice(["in", "in", "c[id]", "c[id]"])
        other = self.rng.choice(["out", "out", "c[(id + 1) MOD N]"])
        changes = []
        if self.chance(0.15):
            changes = [self.rng.choice(["id := (id + 1) MOD N", "in := out", "out := hub"])]
        step = self.rng.choice(
            [
                [f"{own}?a(v)", f"{other}!a(v)"],
                [f"{own}?a(v)", "total := v", f"{other}!a((v + 1) MOD 3)"],
                [f"SELECT WHEN {own}?a(v) THEN {other}!a(v) WHEN {other}?b THEN total := 0 END"],
                [f"SELECT WHEN {own}?a(v) & (v # 1) THEN {other}!b WHEN {own}?b THEN {other}!a(2) END"],
                [f"{own}?a(v)", f"SELECT WHEN {other}!a(v) THEN v := 0 ELSE {other}!b END"],
                [f"{other}!b", f"{own}?b"],
            ]
        )
        body = ";\n    ".join([*step, *changes])
        most = " MAX 6" if self.weights.creates else ""
        return [
            f"PROCESS P{k}(in, out : L; id : UINT8){most};",
            "VAR v : 0 .. 2;",
            "BEGIN",
            f"  LOOP\n    {body}\n  END",
            f"END P{k};",
        ]

    def server(self) -> list[str]:
        return ["PROCESS Hub;", "VAR v : 0 .. 2;", "BEGIN", "  LOOP hub?a(v); c[v MOD N]!a(v) END", "END Hub;"]

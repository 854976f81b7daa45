"""Random programs whose instances have numbers for names, as source text.

Names are given out in a loop or one by one, at once or with steps between. They are kept in variables, arrays and
records, sent, received, compared, passed to calls and under other names, and given to processes that are created later.
Some programs also compute with them, put them in order, use them as indices, or compare them with constants.
"""

from __future__ import annotations

import random

from tests.generate.writer import Weights, Writer


class Named(Writer):
    def __init__(self, rng: random.Random, weights: Weights, formulas: random.Random) -> None:
        super().__init__(rng, weights)
        self.properties = formulas if weights.properties else None
        self.count = rng.choice([2, 2, 3, 3, 4])
        self.base = rng.choice([0, 1, 1, 1, 3, 10])
        self.type = rng.choice(["UINT8", "UINT8", "INT8", "INTEGER", "UINT16", "0 .. 20"])
        self.nobody = rng.choice([0, 0, 0, self.base + self.count, 15])
        self.unclean = self.chance(weights.tells_apart)
        self.server = self.chance(weights.servers)
        self.calls = self.chance(weights.calls)
        self.children = self.chance(weights.creates)
        self.watcher = self.chance(weights.watchers)
        self.fails = self.chance(weights.asserts)
        self.quiet = self.chance(weights.quiet)

    def text(self) -> str:
        worker = self.worker()
        lines = ["MODULE Named;", f"CONST Nobody = {self.nobody};", f"TYPE Name = {self.type};"]
        lines += ["  Pair = RECORD who : Name; done : BOOLEAN END;"]
        lines += ["  Ch = [ask(Name), tell(Name, Name), both(Pair), go];", "PORT c, d : Ch;"]
        lines += ["VAR i : INTEGER; g, h : 0 .. 3; y : UINT8; owner, last : Name; kept : ARRAY 2 OF Name; pair : Pair;"]
        lines += ["  flag : ARRAY 24 OF BOOLEAN;"]
        lines += self.called() if self.calls else []
        lines += self.child() if self.children else []
        lines += self.watching() if self.watcher else []
        lines += self.serving() if self.server else []
        lines += worker
        if self.properties is not None:
            lines += [f"PROPERTY p{i} = {self.formula(self.properties, 2)};" for i in range(2)]
        starts = [x + (";" if n + 1 < len(self.starting) else "") for n, x in enumerate(self.starting)]
        return "\n".join([*lines, "BEGIN", *("  " + x for x in starts), "END Named.", ""])

    # --- the initialisation ---

    def create(self, name: str) -> str:
        return f"CREATE Worker({name})"

    def starts(self) -> list[str]:
        found = ["NEW(c)", "NEW(d)"]
        if self.nobody and self.chance(0.8):
            found.append("owner := Nobody")
        if self.watcher:
            found.append(f"CREATE Watch({self.rng.choice(['owner', 'last'])})")
        if self.server and self.chance(0.5):
            found.append("CREATE Serve(c)")
        first, last = self.base, self.base + self.count - 1
        if self.chance(0.7):
            between = self.rng.choice(["", "", "", "; RESCHEDULE", "; c!go"])
            found.append(f"FOR i := {first} TO {last} DO {self.create('Name(i)')}{between} END")
        else:
            for n in range(first, last + 1):
                found.append(self.create(str(n)))
                found += ["RESCHEDULE"] if self.chance(0.2) else []
        if self.chance(0.15):
            found.append(self.create(str(self.rng.choice([first, self.nobody]))))
        if self.server and "CREATE Serve(c)" not in found:
            found.append("CREATE Serve(c)")
        if self.chance(0.25):
            found.append(
                self.rng.choice(["owner := last", f"owner := {first}", "c!go", "c?ask(last)", "kept[1] := owner"])
            )
        return found

    # --- the instances ---

    def worker(self) -> list[str]:
        inner = [x for _ in range(self.rng.randint(1, 3)) for x in self.act()]
        if self.unclean:
            inner.insert(self.rng.randint(0, len(inner)), self.unclean_use())
        if self.fails:
            inner.append(
                self.rng.choice(["g := (g + 1) MOD 4; RESCHEDULE; ASSERT(g # 3)", "ASSERT(owner # last)", "h := h + 1"])
            )
        if self.chance(0.6):
            body = ["LOOP", *("  " + x for x in joined([*inner, "RESCHEDULE"])), "END"]
        else:
            body = joined(inner)
        self.starting = self.starts()
        most = " MAX 6" if self.chance(0.1) and self.properties is None else ""
        server = " SERVER" if self.chance(0.25) else ""
        head = [f"PROCESS Worker(me : Name){most}{server};"]
        head += ["VAR k, old : Name; own : Pair; two : ARRAY 2 OF Name; z : UINT8;", "BEGIN"]
        return [*head, *("  " + x for x in body), "END Worker;"]

    def name(self) -> str:
        return self.rng.choice(["me", "me", "me", "owner", "last", "k", "old", "kept[0]", "two[1]", "own.who"])

    def variable(self) -> str:
        return self.rng.choice(
            ["owner", "owner", "last", "k", "old", "kept[0]", "kept[1]", "two[0]", "two[1]", "own.who", "pair.who"]
        )

    def test(self) -> str:
        left, right = ["owner", "last", "k", "kept[0]"], ["me", "me", "Nobody", "old"]
        return f"{self.rng.choice(left)} {self.rng.choice('==#')} {self.rng.choice(right)}"

    def act(self) -> list[str]:
        choices = [
            [f"{self.variable()} := {self.name()}"],
            [f"{self.variable()} := {self.name()}", "RESCHEDULE"],
            [f"IF {self.test()} THEN {self.simple()} END", "RESCHEDULE"],
            ["IF owner = Nobody THEN owner := me; RESCHEDULE; " + self.simple() + "; owner := Nobody END"],
            [f"WHILE {self.test()} DO RESCHEDULE END"],
            [self.communication()],
            [self.communication()],
            [
                f"SELECT WHEN c?ask(k) & (k # me) THEN {self.simple()} WHEN d!tell(me, last) & (owner # me) THEN "
                f"{self.simple()} WHEN c?go THEN RESCHEDULE END"
            ],
            [
                "own.who := me",
                "own.done := (owner = me)",
                self.rng.choice(["pair := own", "c!both(own)", "c?both(own)"]),
            ],
            ["two := kept", "kept := two", "RESCHEDULE"],
        ]
        if self.calls:
            choices += [[f"Take({self.name()}, k)"], ["Take(me, two[1])"], ["Keep(me)"], ["Take(me, owner)"]]
        if self.children:
            choices += [[f"CREATE Child({self.name()})", "RESCHEDULE"]]
        if self.quiet:
            choices = [x for x in choices if not any(port in s for s in x for port in ("c!", "c?", "d!", "d?", "Take"))]
        return self.rng.choice(choices)

    def communication(self) -> str:
        port = self.rng.choice("ccd")
        name = self.name()
        return self.rng.choice(
            [
                f"{port}!ask({name})",
                f"{port}!ask({name})",
                f"{port}?ask(k)",
                f"{port}!tell(me, {name})",
                f"{port}?tell(old, {self.variable()})",
                f"{port}?tell(two[0], k)",
                f"{port}?ask(Nobody)",
                f"{port}!go",
                f"{port}?go",
            ]
        )

    def simple(self) -> str:
        return self.rng.choice(
            [
                f"g := {self.rng.randint(0, 2)}",
                "h := g",
                f"{self.variable()} := {self.name()}",
                "ASSERT(owner = me)" if self.fails else "last := me",
                "RESCHEDULE; ASSERT(owner = me)" if self.fails else "last := k",
                "RESCHEDULE; ASSERT(kept[0] # kept[1])" if self.fails else "kept[0] := k",
                "ASSERT((g # 1) OR (h # 1))" if self.fails else "g := 1",
                "k := me",
            ]
        )

    def unclean_use(self) -> str:
        failing = [
            "flag[me] := TRUE; ASSERT(~flag[1] OR ~flag[2])",
            "IF owner < me THEN owner := me; RESCHEDULE; y := y + 1; ASSERT(y < 4) END",
            "IF owner < me THEN owner := me; h := h + 1 END",
        ]
        return self.rng.choice(
            [
                *(failing if self.properties is None else []),
                "y := y + UINT8(me)",
                "IF me < owner THEN g := 1 END",
                "IF k <= last THEN h := 1 END",
                "IF flag[owner] THEN g := 2 ELSE flag[owner] := TRUE END",
                f"IF me = {self.base} THEN g := 2 END",
                f"last := {self.base + 1}",
                "CASE me OF 1 : g := 1 | 2 : h := 1 ELSE g := 0 END",
                "z := UINT8(me); IF ODD(z) THEN g := 1 END",
                "k := Name((z + 1) MOD 3); z := UINT8(k)",
                f"c?ask({self.base})",
                "FOR z := 0 TO 1 DO IF UINT8(me) = z THEN g := 1 END END",
                "IF UINT8(me) MOD 2 = 0 THEN owner := me END",
            ]
        )

    def formula(self, rng: random.Random, depth: int) -> str:
        if depth == 0 or rng.random() < 0.2:
            left, right = rng.choice(["owner", "last", "kept[0]"]), rng.choice(["owner", "last", "kept[1]"])
            some = [
                "g = 1",
                "h = 0",
                f"{left} = {right}",
                f"{left} # {right}",
                f"{left} = {self.nobody}",
                "ENDED(Worker)",
            ]
            some += [f"{left} = {self.base + 1}", "Serve.cur = owner" if self.server else "g = h", "y > 0"]
            return rng.choice(some + (["owner < last"] if rng.random() < 0.2 else []))
        a, b = self.formula(rng, depth - 1), self.formula(rng, depth - 1)
        one = rng.choice(
            ["ALWAYS ({})", "EVENTUALLY ({})", "NEXT ({})", "ALWAYS EVENTUALLY ({})", "EVENTUALLY ALWAYS ({})"]
        )
        return one.format(a) if rng.random() < 0.6 else f"({a}) {rng.choice(['UNTIL', 'IMPLIES', '&', 'OR'])} ({b})"

    # --- the others ---

    def called(self) -> list[str]:
        port = self.rng.choice("cd")
        take = self.rng.choice(
            [
                [f"{port}?ask(got)"],
                [f"{port}?ask(t)", "IF t # n THEN got := t END"],
                [f"{port}!ask(n)", "got := n"],
                ["got := n", "RESCHEDULE", "t := got"],
            ]
        )
        keep = self.rng.choice(
            [["IF t = n THEN last := n END", "last := t"], ["t := owner", "owner := n", "last := t"]]
        )
        return [
            "PROCESS Take(n : Name; VAR got : Name);",
            "VAR t : Name;",
            "BEGIN",
            *joined(take),
            "END Take;",
            "PROCESS Keep(n : Name);",
            "VAR t : Name;",
            "BEGIN",
            *joined(keep),
            "END Keep;",
        ]

    def child(self) -> list[str]:
        body = self.rng.choice(
            [["c!ask(whose)"], ["RESCHEDULE", "IF owner = whose THEN owner := Nobody END"], ["d?ask(t)", "last := t"]]
        )
        return ["PROCESS Child(whose : Name) MAX 4;", "VAR t : Name;", "BEGIN", *joined(body), "END Child;"]

    def watching(self) -> list[str]:
        body = self.rng.choice(
            [
                ["seen := what", "RESCHEDULE", "IF seen # what THEN h := 1 END"],
                ["what := seen", "c?ask(seen)", "what := seen"],
            ]
        )
        return ["PROCESS Watch(VAR what : Name);", "VAR seen : Name;", "BEGIN", *joined(body), "END Watch;"]

    def serving(self) -> list[str]:
        clauses = [
            "WHEN a?ask(x) THEN "
            + self.rng.choice(["cur := x", "IF x = cur THEN g := 1 END", "a!tell(x, cur)", "owner := x"]),
            "WHEN a?tell(x, cur) " + self.rng.choice(["", "& (x = cur) ", "& (x # owner) "]) + "THEN last := cur",
            "WHEN a?go THEN " + self.rng.choice(["RESCHEDULE", "cur := owner"]),
        ]
        if self.chance(0.4):
            clauses.append("WHEN d!ask(cur) " + self.rng.choice(["", "& (cur # Nobody) "]) + "THEN RESCHEDULE")
        if self.chance(0.3):
            clauses.append("WHEN a?both(p) THEN IF p.done THEN cur := p.who END")
        server = " SERVER" if self.chance(0.8) else ""
        return [
            f"PROCESS Serve(a : Ch){server};",
            "VAR x, cur : Name; p : Pair;",
            "BEGIN",
            "  LOOP",
            "    SELECT",
            *("      " + c for c in clauses),
            "    END",
            "  END",
            "END Serve;",
        ]


def joined(statements: list[str]) -> list[str]:
    return [s + ("" if n + 1 == len(statements) else ";") for n, s in enumerate(statements)]

"""Random programs with much of the language at once: calls that wait and recur, VAR arguments and open arrays, ports in
messages and arrays, creations at run time, inner loops that are left, records, sets, subranges that may be too small,
values that a type does not have, an initialisation of several actions, ports that are compared, FORs whose variable is
set.
"""

from __future__ import annotations

import random

from tests.generate.writer import Weights, Writer, imports_of, module

LIBRARY = {
    "Bump": "(VAR v : UINT8); BEGIN IF v >= 2 THEN v := 0; RETURN END; INC(v)",
    "Fill": """(VAR to : ARRAY OF UINT8; v : UINT8); VAR i : INTEGER;
BEGIN FOR i := 0 TO LEN(to) - 1 DO IF v = 2 THEN RETURN END; to[i] := v END""",
    "Sum": """(of : ARRAY OF UINT8; VAR to : UINT8); VAR i : INTEGER;
BEGIN FOR i := 0 TO LEN(of) - 1 DO to := (to + of[i]) MOD 3 END""",
    "Swap": "(VAR p, q : Rec); VAR t : Rec; BEGIN t := p; p := q; q := t",
    "Pick": "(VAR v, w : UINT8); BEGIN v := 1; IF w = 1 THEN w := 2 ELSE v := 0 END",
    "Find": """(of : ARRAY OF UINT8; v : UINT8; VAR at : UINT8); VAR i : UINT8;
BEGIN i := 0; LOOP IF i >= 2 THEN EXIT END; IF of[i] = v THEN at := i; RETURN END; INC(i) END; at := 2""",
}
PLACES = ("g", "f", "ga[0]", "ga[1]", "r.u", "y", "k", "w", "la[0]", "la[1]", "lr.u", "lr.v")
SHARED = PLACES[:5]


class Mixed(Writer):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.plain = self.chance(weights.plain)
        self.kinds = rng.randint(2, 3)
        self.makes = not self.plain and self.chance(weights.creates)
        self.gifts = not self.plain and self.chance(weights.gifts)
        self.time = not self.plain and self.chance(weights.time)
        self.interrupts = not self.plain and self.chance(weights.interrupts)
        self.inputs = self.chance(weights.inputs)
        self.faults = self.chance(weights.faults)
        self.asserts = self.chance(weights.asserts)
        self.busy = rng.random()
        self.calls = [f"Q{i}" for i in range(rng.randint(0, 2))]
        self.clusters = self.plain and self.chance(weights.clusters)  # each kind has variables of its own
        self.whole = not self.clusters  # col, bits, s
        self.here: tuple[str, ...] = SHARED  # variables that can be named
        self.passed: tuple[str, ...] = SHARED  # VAR arguments
        self.begins = not self.clusters and self.chance(0.4)  # the initialisation has points
        self.odd = self.whole and self.faults and self.chance(0.5)  # SYSTEM.VAL
        self.idle = rng.choice([0.1, 0.4, 0.7])
        self.servers = rng.choice([0.1, 0.5, 1.0])
        self.sends = False  # rather than receives
        self.meeting = rng.choice(["c0", "c1"])  # where most speak
        self.ports = ["a", "b"]

    def text(self) -> str:
        rng = self.rng
        procedures = [line for name in self.calls for line in self.procedure(name)]
        processes = [line for i in range(self.kinds) for line in self.process(i)]
        starts = [f"CREATE P{i}({self.given()})" for i in range(self.kinds) for _ in range(rng.choice([1, 1, 2]))]
        rng.shuffle(starts)
        ports = ["c0", "c1", "cs[0]", "cs[1]", *(["gift"] if self.gifts else [])]
        imports = imports_of(Clock=self.time, SYSTEM=self.interrupts or self.odd)
        if self.begins:
            starts = self.beginning(starts)
        gift = "Gift = [give(Ch), both(ARRAY 2 OF Ch), two(UINT8, Ch)];" if self.gifts else ""
        used = "".join([*procedures, *processes, *starts])
        lines = [
            "TYPE Rec = RECORD u, v : UINT8 END; Small = 1 .. 3; Color = (red, green, blue);",
            f"  Ch = [m(UINT8), n, rec(Rec), small(Small)]; {gift}",
            f"PORT c0, c1{', a' * self.begins} : Ch; cs : ARRAY 2 OF Ch;" + (" gift : Gift;" if self.gifts else ""),
            "VAR g, f : UINT8; s : Small; ga : ARRAY 2 OF UINT8; r : Rec; col : Color; bits : SET8;",
            "VAR d0, d1, me, i0, i1, i2, j : UINT8; da : ARRAY 2 OF UINT8;",
            *(f"PROCESS {p}{LIBRARY[p]} END {p};" for p in LIBRARY if f"{p}(" in used),
            *procedures,
            *processes,
            *(self.properties() if self.weights.properties else []),
        ]
        return module("Mixed", imports, lines, [*(f"NEW({p})" for p in ports), *starts])

    def beginning(self, starts: list[str]) -> list[str]:
        """What the initialisation does between creations."""
        self.here, self.passed, self.ports, self.sends = SHARED, SHARED, ["c0", "cs[1]"], self.chance(0.5)
        found = []
        for start in starts:
            between = ["RESCHEDULE", f"g := {self.value_at_start()}", self.statement(1, False), f"{self.at_start()}"]
            found += [self.rng.choice(between), start] if self.chance(0.6) else [start]
        return ["a := c0", *found, *([self.at_start()] if self.chance(0.4) else [])]

    def value_at_start(self) -> str:
        return self.rng.choice(["0", "1", "g", "(f + 1) MOD 3", "ga[1]"])

    def at_start(self) -> str:
        point = self.rng.choice(["RESCHEDULE", self.communication()])
        return self.rng.choice(
            [
                point,
                f"IF {self.condition()} THEN {point}; RETURN END",
                f"CHOICE f := 0; OR {point}; f := {self.value_at_start()} END",
                f"FOR i0 := 0 TO f DO {point} END",
                f"{point}; {self.rng.choice(SHARED)} := 1",
            ]
        )

    def given(self) -> str:
        ports = ["c0", "c1", "cs[0]", "cs[1]"]
        first = self.meeting if self.chance(0.85) else self.rng.choice(ports)
        return f"{first}, {self.rng.choice(ports)}, {self.rng.randint(0, 2)}"

    def properties(self) -> list[str]:
        p, q, r = self.atom(), self.atom(), self.atom()
        forms = [f"ALWAYS ({p})", f"ALWAYS (({p}) IMPLIES (({q}) WEAKUNTIL ({r})))", f"({p}) WEAKUNTIL ({q})"]
        more = [f"EVENTUALLY ({p})", f"ALWAYS (({p}) IMPLIES EVENTUALLY ({q}))", f"EVENTUALLY ALWAYS ({p})"]
        return [f"PROPERTY safe = {self.rng.choice(forms)};", f"PROPERTY live = {self.rng.choice(more)};"]

    def atom(self) -> str:
        k, rng = self.rng.randrange(self.kinds), self.rng
        choices = [
            f"{rng.choice(SHARED)} {rng.choice(['=', '#', '<'])} {rng.randint(0, 2)}",
            f"{rng.choice(SHARED)} {rng.choice(['=', '#', '<'])} {rng.randint(0, 2)}",
            f"P{k}{rng.choice(['', '', '[1]'])}.{rng.choice('ykw')} {rng.choice(['=', '#'])} {rng.randint(0, 2)}",
            f"{rng.choice(['READY', 'WAITING', 'ENDED', '~ENDED'])}(P{k})",
            f"TAKEN({rng.choice(['c0', 'c1'])}.{rng.choice('mn')})",
            f"col {rng.choice('=#')} {rng.choice(['red', 'green'])}",
            f"{rng.choice(['', '~'])}({rng.randint(0, 2)} IN bits)",
        ]
        return rng.choice(choices)

    # --- bodies

    def procedure(self, name: str) -> list[str]:
        self.here = self.passed = ("y", "k", "x", *([] if self.clusters else self.rng.sample(SHARED, 1)))
        self.ports = ["a"]
        self.sends = self.chance(0.5)
        recur = self.chance(0.3)
        body = self.statements(self.rng.randint(1, 3), 1, nested=False)
        if recur:
            body += f";\n  IF me > 0 THEN {name}(a, x, me - 1) END"
        if self.chance(0.3):
            body += f"; {self.simple()}"
        bound = f" MAX {self.rng.randint(2, 3)}" if recur else ""
        return [
            f"PROCESS {name}(a : Ch; VAR x : UINT8; me : UINT8){bound};",
            "VAR y, k : UINT8; i0, i1, i2, j : UINT8;",
            f"BEGIN\n  {body}",
            f"END {name};",
        ]

    def process(self, number: int) -> list[str]:
        shared: tuple[str, ...] = SHARED[number : number + 1]
        if not self.clusters:
            shared = tuple(self.rng.sample(SHARED, self.rng.randint(1, 3)))
        elif number == 0:
            shared = (*shared, "r.u")
        self.here = (*shared, *self.rng.sample(PLACES[5:], 4))
        self.sends = number % 2 == 0
        self.passed = tuple(self.rng.sample(self.here, self.rng.randint(1, 3)))
        self.ports = ["a", "b", "a", "b", *([] if self.clusters else ["c0", "cs[me MOD 2]", "lp[0]", "l"])]
        body = self.statements(self.rng.randint(1, 4), 2, nested=True)
        if self.chance(0.6):
            body = f"LOOP {self.communication()}; {body} END"
        server = " SERVER" if self.chance(self.servers) else ""
        most = f" MAX {self.rng.randint(2, 3)}" if self.makes else ""
        made = "NEW(l); lp := cs" if self.makes else "l := b"
        first = self.rng.choice(["l := a; lp[0] := b", "lp := cs; l := c0", made])
        call = "In(" in body
        inner = self.statement(0, False) if self.chance(0.4) else f"{self.place()} := {self.value()}"
        return [
            f"PROCESS P{number}(a, b : Ch; me : UINT8){most}{server};",
            "VAR y, k, w : UINT8; i0, i1, i2, j : UINT8; x : Small; la : ARRAY 2 OF UINT8; lr : Rec; lc : Color;",
            "PORT l : Ch MAX 3; lp : ARRAY 2 OF Ch;",
            *([f"  PROCESS In(v : UINT8); BEGIN y := v; {inner} END In;"] if call else []),
            f"BEGIN\n  {first};\n  {body}",
            f"END P{number};",
        ]

    def statements(self, count: int, depth: int, nested: bool) -> str:
        return ";\n  ".join(self.statement(depth, nested) for _ in range(count))

    def statement(self, depth: int, nested: bool) -> str:
        """`nested`: in a process, whose inner one can be called."""
        if self.chance(0.25 + 0.4 * self.busy):
            if depth and self.chance(0.35):
                return self.select()
            return self.point()
        if depth and self.chance(0.35):
            return self.structure(depth, nested)
        if nested and self.chance(0.3):
            return self.call()
        return self.simple()

    def structure(self, depth: int, nested: bool) -> str:
        i = f"i{depth}"
        inner = self.statements(self.rng.randint(1, 2), depth - 1, nested)
        other = self.statement(depth - 1, nested)
        leave = self.rng.choice(["RETURN", "RETURN", other])
        match self.rng.randrange(8):
            case 0:
                return f"IF {self.condition()} THEN {inner} ELSE {other} END"
            case 1:
                return f"IF {self.condition()} THEN {inner} ELSIF {self.condition()} THEN {leave} END"
            case 2:
                tail = "" if self.faults and self.chance(0.5) else f" ELSE {other}"
                return f"CASE {self.place()} OF 0 : {inner} | 1 : {self.simple()}{tail} END"
            case 3:
                if self.chance(0.15):
                    inner += f"; IF {self.condition()} THEN {i} := 2 END"
                return f"FOR {i} := {self.rng.randint(0, 1)} TO {self.rng.choice(['1', '2', 'me', 'g'])} DO {inner} END"
            case 4:
                return f"{i} := 0; WHILE {i} < {self.rng.choice(['2', 'me', 'y'])} DO {inner}; INC({i}) END"
            case 5:
                return f"{i} := 0; REPEAT {inner}; INC({i}) UNTIL ({i} > 1) OR ({self.condition()})"
            case 6:
                leave = f"IF {self.condition()} THEN {self.rng.choice(['EXIT', 'EXIT', self.simple() + '; EXIT'])} END"
                return f"LOOP {self.point()}; {leave}; {inner} END"
        leave = f"FOR {i} := 0 TO 1 DO IF {self.condition()} THEN EXIT END; {inner} END"
        return f"LOOP {leave}; {self.point()} END"

    def data(self) -> str:
        """What others seldom read."""
        rng = self.rng
        d = rng.choice(("d0", "d1", "da[0]", "da[1]"))
        v = d if self.chance(0.5) else rng.choice(("d0", "da[1]", self.value()))
        here = "b" in self.ports
        choices = [f"{d} := ({v} + 1) MOD 3", f"{d} := ({v} + 1) MOD 3", f"Bump({d})", f"{d} := {v}"]
        choices += [f"CHOICE {d} := 0 | {d} := {v} END", f"IF {d} = 1 THEN {d} := 0 ELSE {d} := {v} END"]
        choices += [f"Pick({d}, {rng.choice(['d0', 'd1', *self.passed])})", f"Fill(da, {v})", f"Sum(da, {d})"]
        choices += [f"FOR j := 0 TO 1 DO {d} := ({d} + j) MOD 3 END", f"Find(da, {d}, {rng.choice(['d0', 'd1'])})"]
        if here:
            choices += [
                f"a{'!' if self.sends else '?'}m({d})",
                "la := da",
                "da := la",
                f"CASE {d} OF 0 : Bump({d}) ELSE END",
            ]
            choices += [f"CHOICE {v} := 0 | {v} := 2 END; RESCHEDULE; {d} := {v}" for v in rng.sample(["y", "k"], 1)]
        if self.calls and here:
            choices.append(f"{rng.choice(self.calls)}({self.port()}, {d}, 1)")
        return rng.choice(choices)

    def call(self) -> str:
        rng = self.rng
        one, other = rng.choice(self.passed), rng.choice(self.passed)
        arrays = ["la"] if self.clusters else ["la", "ga"]
        choices = [
            f"Bump({one})",
            f"Fill({rng.choice(arrays)}, {self.value()})",
            f"Sum({rng.choice(arrays)}, {one})",
            f"Swap(lr, {'lr' if self.clusters else 'r'})",
            f"Pick({one}, {other})",
            f"Find({rng.choice(arrays)}, {self.value()}, {one})",
            f"In({self.value()})",
            f"In({self.value()})",
        ]
        choices += [f"{q}({self.port()}, {one}, {rng.choice(['0', '1', 'me'])})" for q in self.calls] * 2
        return rng.choice(choices)

    def point(self) -> str:
        x = self.rng.random()
        if x < 0.12:
            return "RESCHEDULE"
        if x < 0.24 and "b" in self.ports:
            return self.glance()
        if self.time and x < 0.32:
            return f"Clock.Sleep({self.rng.randint(0, 2)})"
        if self.interrupts and x < 0.36:
            return "SYSTEM.INT[1]?INTERRUPT"
        if self.gifts and x < 0.48 and "b" in self.ports:
            return self.gift()
        return self.communication()

    def glance(self) -> str:
        """What is picked is looked at in the next action, and then forgotten."""
        v = self.rng.choice(["y", "k", "w", "la[1]", "lr.u"])
        use = self.rng.choice([f"IF {v} = 1 THEN {self.simple()} END", f"Bump({v})", f"y := {v}", self.simple()])
        between = self.rng.choice(["RESCHEDULE", "RESCHEDULE", self.communication()])
        return f"CHOICE {v} := 0 | {v} := {self.rng.randint(1, 2)} END; {between}; {use}; {self.communication()}"

    def gift(self) -> str:
        p = self.port()
        return self.rng.choice(
            [f"gift!give({p})", f"gift!two({self.value()}, {p})", "gift!both(lp)", "gift!both(cs)"]
            + ["gift?give(l)", "gift?give(lp[1])", "gift?both(lp)", f"gift?two({self.place()}, l)"]
        )

    def communication(self) -> str:
        p, v, to = self.port(), self.value(), self.place()
        if self.chance(0.85):  # what mostly finds a partner
            word = "n" if self.chance(0.4) else f"m({v if self.sends else to})"
            return f"{'a' if self.chance(0.8) else p}{'!' if self.sends else '?'}{word}"
        rec = "lr" if "b" in self.ports else "r"
        sends = [f"{p}!m({v})", f"{p}!m({v})", f"{p}!n", f"{p}!small({self.rng.randint(1, 3)})"]
        if rec == "lr" or self.whole:
            sends.append(f"{p}!rec({rec})")
        targets = [to, to, to, str(self.rng.randint(0, 2)), *(["s", "s"] if self.faults and self.whole else [])]
        receives = [f"{p}?m({self.rng.choice(targets)})"] * 2 + [f"{p}?n", f"{p}?small({self.rng.randint(1, 3)})"]
        receives += [f"{p}?rec({rec})", f"{p}?small(s)"] if self.whole else []
        receives += [f"{p}?rec(lr)", f"{p}?small(x)"] if "b" in self.ports else []
        return self.rng.choice([*sends, *receives])

    def select(self) -> str:
        rng = self.rng
        clauses = []
        for _ in range(rng.randint(1, 3)):
            guard = f" & ({self.condition(False)})" if self.chance(0.4) else ""
            clauses.append(f"WHEN {self.communication()}{guard} THEN {self.simple()}")
        if self.time and self.chance(0.3):
            clauses.append(f"WHEN Clock.After({rng.randint(0, 2)}) THEN {self.simple()}")
        tail = f" ELSE {self.simple()}" if self.chance(0.2) else ""
        return f"SELECT {' '.join(clauses)}{tail} END"

    # --- without points

    def port(self) -> str:
        return self.rng.choice(self.ports)

    def place(self) -> str:
        return self.rng.choice(self.here)

    def value(self) -> str:
        return self.rng.choice(["0", "1", "2", "me", self.place(), f"({self.place()} + 1) MOD 3"])

    def condition(self, ports: bool = True) -> str:
        """`ports`: they may be compared; not in a guard."""
        rng = self.rng
        choices = [f"{self.place()} {rng.choice(['=', '#', '<'])} {rng.randint(0, 2)}"] * 4
        choices += [f"{self.place()} = {self.place()}", "me = 0"]
        choices += [f"{rng.randint(0, 2)} IN bits", "col = red", "s < 2"] if self.whole else []
        if ports and self.whole and "b" in self.ports:
            choices += [f"{self.port()} {rng.choice('=#')} {self.port()}"] * (2 if self.gifts or self.makes else 1)
        return rng.choice(choices)

    def simple(self) -> str:
        rng = self.rng
        if self.whole and self.chance(self.idle):
            return self.data()
        v = self.place()
        choices = ["RESCHEDULE"] if self.chance(0.2) else []
        choices += [f"{v} := {self.value()}", f"{v} := {self.value()}", f"{v} := ({self.place()} + 1) MOD 3"]
        if self.whole:
            choices += [f"{rng.choice(['INCL', 'EXCL'])}(bits, {rng.randint(0, 2)})", f"INCL(bits, {self.place()})"]
            choices += [f"ga[{self.place()} MOD 2] := {self.value()}", f"col := {rng.choice(['red', 'green'])}"]
        choices.append(f"IF {rng.choice([self.condition(), 'a = c0'])} THEN {v} := {self.value()} END")
        if self.inputs:
            choices.append(f"IF ODD(PORTIN(16)) THEN {v} := 1 END")
        if "b" in self.ports:
            choices += ["lr := r", "r := lr", "la := ga", "ga := la", "lc := col"] if self.whole else []
            choices += [f"la[{rng.choice(['y', 'me'])} MOD 2] := {self.value()}", f"y := {self.place()}"]
            choices += [rng.choice(["lp := cs", "l := lp[0]"])] if self.whole else []
            if self.makes:
                t = rng.randrange(self.kinds)
                args = f"{self.port()}, {self.port()}, {rng.randint(0, 1)}"
                args += ")" + rng.choice(["", "", f" DEADLINE {rng.randint(0, 9)}"])
                choices += [f"CREATE P{t}({args}", rng.choice(["NEW(l)", "NEW(lp[1])", "cs := lp", "c1 := l"])]
            if self.faults:
                choices.append(rng.choice(["x := y", "INC(lc)"]))
        if self.odd:
            choices += [f"col := SYSTEM.VAL(Color, {self.place()} + 2)", f"s := SYSTEM.VAL(Small, {self.place()} * 2)"]
            choices += ["ga[ORD(col) DIV 2] := 1", "ga[(s - 1) DIV 2] := 1", "INCL(bits, s * 2)"]
        if self.faults and self.whole:
            choices += [f"s := {self.place()}", f"ga[{self.place()}] := 1", "INC(s)"]
        if self.faults:
            choices.append(f"{v} := 2 DIV {self.place()}")
        if self.asserts:
            choices.append(f"ASSERT({rng.choice([self.condition(), f'{self.place()} # {rng.randint(1, 2)}'])})")
        return rng.choice(choices)

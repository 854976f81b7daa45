"""Random programs of a process whose variables are passed on by calls, beside one that sends and one that receives.

Calls are of processes that wait, that recur, that are nested and use what is around them, that overwrite what they are
given, or only sometimes, and that look at arrays."""

from __future__ import annotations

import random

from tests.generate.writer import Weights, Writer

LIBRARY = """PROCESS Clear(VAR v : UINT8); BEGIN v := 0 END Clear;
PROCESS Maybe(VAR v : UINT8; w : UINT8); BEGIN IF w = 1 THEN v := 2 END END Maybe;
PROCESS Bump(VAR v : UINT8); BEGIN v := (v + 1) MOD 3 END Bump;
PROCESS Copy(VAR v, w : UINT8); BEGIN v := 1; v := w END Copy;
PROCESS Fresh(VAR to : Rec); BEGIN to.u := 1; to.v := 2 END Fresh;
PROCESS Fill(VAR to : Three; v : UINT8); VAR i : UINT8; BEGIN FOR i := 0 TO 2 DO to[i] := v END END Fill;
PROCESS Half(VAR to : Three; v : UINT8); VAR i : UINT8; BEGIN FOR i := 1 TO 2 DO to[i] := v END END Half;
PROCESS Sum(of : ARRAY OF UINT8; VAR to : UINT8); BEGIN to := (of[0] + of[1] + of[2]) MOD 3 END Sum;
"""
WAITING = {
    "Get": "(a : Ch; VAR v : UINT8); BEGIN a?m(v) END",
    "Late": "(a : Ch; VAR v : UINT8); VAR t : UINT8; BEGIN CHOICE t := 1 | t := 2 END; a?m(t); v := t END",
    "Rests": "(a : Ch; VAR v : UINT8); BEGIN RESCHEDULE; v := 2; RESCHEDULE END",
    "Adds": "(a : Ch; VAR v : UINT8); VAR t : UINT8; BEGIN a?m(t); v := (v + t) MOD 3 END",
    "Some": "(a : Ch; VAR v : UINT8); VAR t : UINT8; BEGIN a?m(t); IF t = 1 THEN v := t END; t := 0; RESCHEDULE END",
    "Deep": "(a : Ch; VAR v : UINT8); VAR t : UINT8; BEGIN t := 1; RESCHEDULE; Get(a, t); Get(a, v) END",
}
RECURS = """PROCESS Recurs(a : Ch; VAR v, w : UINT8; n : UINT8) MAX 3;
VAR t : UINT8;
BEGIN {first}; IF n > 0 THEN Recurs(a, {given}, n - 1) END; {last}
END Recurs;
"""
PLACES = ("x", "y", "z", "f[0]", "f[1]", "f[2]", "r.u", "r.v")


class Calling(Writer):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.asks = weights.properties
        self.twins = self.chance(weights.twins)  # two of them, which know who they are
        self.shared = self.chance(weights.shared)

    def text(self) -> str:
        rng = self.rng
        waiting = rng.sample([w for w in WAITING if w not in ("Get", "Deep")], 2)
        self.waiting = ["Get", *waiting, *(["Deep"] if rng.random() < 0.5 else [])]
        self.recurs = self.chance(self.weights.recursion)
        recurs = RECURS.format(
            first=rng.choice(["v := 0", "t := w", "a?m(v)", "RESCHEDULE"]),
            given=rng.choice(["v, t", "t, v", "w, v", "v, w", "t, t"]),
            last=rng.choice(["v := t", "t := 0; RESCHEDULE", "w := 1", "a?m(w)", "RESCHEDULE; v := w"]),
        )
        made = " CREATE P(c, d, 1); CREATE P(c, d, 2)" if self.twins else " CREATE P(c, d, 1)"
        return "\n".join(
            [
                "MODULE Calling;",
                "TYPE Ch = [m(UINT8)]; Rec = RECORD u, v : UINT8 END; Three = ARRAY 3 OF UINT8;",
                "PORT c, d : Ch;",
                "VAR g : UINT8;",
                LIBRARY,
                *(f"PROCESS {w}{WAITING[w]} {w};" for w in self.waiting),
                *([recurs] if self.recurs else []),
                *self.process(),
                *(self.properties() if self.asks else []),
                "PROCESS Feeds(c : Ch); BEGIN LOOP CHOICE c!m(0) | c!m(1) | c!m(2) END END END Feeds;",
                "PROCESS Takes(d : Ch); VAR x : UINT8; BEGIN LOOP d?m(x) END END Takes;",
                f"BEGIN NEW(c); NEW(d);{made}; CREATE Feeds(c); CREATE Takes(d) END Calling.",
                "",
            ]
        )

    def process(self) -> list[str]:
        rng = self.rng
        nested = f"  PROCESS In(w : UINT8); BEGIN {self.inner()}; {self.inner()} END In;"
        body = "; ".join(self.statement(True) for _ in range(rng.randint(2, 3) if self.twins else rng.randint(3, 6)))
        return [
            "PROCESS P(a, b : Ch; me : UINT8) MAX 2;",
            "VAR x, y, z, i : UINT8; f, h : Three; r, s : Rec;",
            nested,
            f"BEGIN LOOP {body} END",
            "END P;",
        ]

    def inner(self) -> str:
        choices = [f"{self.place()} := w", "RESCHEDULE", f"{self.place()} := {self.place()}", "b!m(w)", "RESCHEDULE"]
        return self.rng.choice(choices)

    def properties(self) -> list[str]:
        p, q = (
            f"P{self.rng.choice(['', '[1]'])}.{self.rng.choice(PLACES[:3])} = {self.rng.randint(0, 2)}" for _ in "pq"
        )
        first = self.rng.choice([f"ALWAYS ({p})", f"EVENTUALLY ({p})", f"({p}) WEAKUNTIL ({q})"])
        second = f"ALWAYS (({p}) IMPLIES EVENTUALLY ({q}))"
        return [f"PROPERTY first = {first};", f"PROPERTY second = {second};"]

    def place(self) -> str:
        return "g" if self.shared and self.rng.random() < 0.2 else self.rng.choice(PLACES)

    def value(self) -> str:
        found = [self.place(), str(self.rng.randint(0, 2)), f"f[{self.place()} MOD 3]"]
        return "me" if self.twins and self.rng.random() < 0.5 else self.rng.choice(found)

    def statement(self, compound: bool) -> str:
        rng, p = self.rng, self.place
        if rng.random() < 0.35:
            call = rng.choice([*self.waiting, "In", *(["Recurs"] if self.recurs else [])])
            if call == "In":
                return f"In({self.value()})"
            if call == "Recurs":
                return f"Recurs(a, {p()}, {p()}, {rng.randint(0, 1)})"
            return f"{call}(a, {rng.choice([p(), p(), f'f[{p()} MOD 3]'])})"
        if compound and rng.random() < 0.2:
            inside = f"{self.statement(False)}; {self.statement(False)}"
            return f"IF {p()} = {rng.randint(0, 2)} THEN {inside} END"
        return rng.choice(
            [
                f"{p()} := {self.value()}",
                f"CHOICE {p()} := 0 | {p()} := 1 END",
                f"CHOICE {p()} := 2 | {p()} := {p()} END",
                "RESCHEDULE",
                f"b!m({p()} MOD 3)",
                f"a?m({p()})",
                f"SELECT WHEN a?m({p()}) & ({p()} < 2) THEN {p()} := 1 WHEN b!m({p()} MOD 3) THEN {p()} := 0 END",
                f"Clear({p()})",
                f"Maybe({p()}, {self.value()})",
                f"Bump({p()})",
                f"Copy({p()}, {p()})",
                "Fresh(r)",
                rng.choice(["r := s", "s := r", "f := h", "h := f"]),
                f"{rng.choice(['Fill', 'Half'])}(f, {self.value()})",
                f"Sum({rng.choice('fh')}, {p()})",
                f"FOR i := 0 TO 2 DO f[i] := {rng.choice(['i', '0', p(), 'h[i]'])} END",
                f"FOR i := 2 TO 0 BY -1 DO IF {p()} = 1 THEN {p()} := 0 END; f[i] := 1 END",
                f"FOR i := 0 TO 2 DO f[i] := 0; b!m({self.place()} MOD 3) END",
                f"FOR i := 0 TO {p()} MOD 3 DO f[i] := 1; RESCHEDULE END",
                *([f"ASSERT({p()} < 3)"] if not self.asks else []),
                f"IF {p()} = {'me' if self.twins else 1} THEN {p()} := 0 END",
            ]
        )

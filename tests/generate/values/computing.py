"""Random programs that compute: PROCEDUREs, bits of numbers, constant tables, named loops, FOR VAR, arrays numbered by
enumerations, ports with a direction, clauses that stand for several.

    text = computing(seed)
"""

from __future__ import annotations

import random

from tests.generate.writer import module

WIDTHS = {"UINT8": 8, "UINT16": 16, "UINT32": 32}
DEPTH = 3


class Computing:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.numbers: list[str] = []  # INTEGER designators that can be read here
        self.words: list[tuple[str, str]] = []  # unsigned ones, with their types
        self.changed: list[str] = []  # INTEGER variables that may be assigned here
        self.functions: list[tuple[str, str, list[str]]] = []  # name, result, types of parameters; no effect
        self.effects: list[tuple[str, str, list[str]]] = []
        self.loops: list[str] = []
        self.endless: set[str] = set()  # functions with a LOOP, calls included: not for guards
        self.guard = False
        self.count = 0

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # --- expressions -----------------------------------------------------------------------------------------------

    def number(self, depth: int = DEPTH) -> str:
        """An INTEGER of a few hundred at most, which never faults by itself but through an index or an assertion."""
        r = self.rng
        if depth == 0 or self.chance(0.2):
            return r.choice([*self.numbers, *self.numbers, str(r.randint(0, 20)), "K", f"Table[{r.randint(0, 4)}]"])
        inner = [self.number(depth - 1) for _ in range(2)]
        match r.randrange(9):
            case 0:
                return f"({inner[0]} {r.choice('+-')} {inner[1]}) MOD {r.randint(2, 90)}"
            case 1:
                return f"({inner[0]}) MOD 17 * (({inner[1]}) MOD 9)"
            case 2:
                return f"Table[({inner[0]}) MOD {r.choice([5, 5, 5, 5, 6])}]"
            case 3:
                return f"Weights[{self.colour(depth - 1)}]"
            case 4:
                return f"INTEGER(BAND({self.word('UINT32', depth - 1)}, 0FFH))"
            case 5:
                return f"Grid[({inner[0]}) MOD 2].{r.choice(['x', 'y'])}"
            case 6:
                return f"ORD({self.truth(depth - 1)})"
            case 7:
                found = self.call("INTEGER", depth - 1)
                return inner[0] if found is None else found
        return f"{r.choice(['MIN', 'MAX'])}({inner[0]}, {inner[1]})"

    def word(self, t: str, depth: int = DEPTH) -> str:
        r = self.rng
        own = [name for name, of in self.words if of == t]
        if depth == 0 or self.chance(0.2):
            return r.choice([*own, *own, f"{t}({r.randint(0, 255)})", f"{t}(0{r.randint(0, 255):X}H)"])
        x, y = self.word(t, depth - 1), self.word(t, depth - 1)
        bits = WIDTHS[t]
        low = r.randrange(bits)
        high = r.randrange(low, bits)
        field = f"{{{low} .. {high}}}" if self.chance(0.4) else f"{low}, {high}"
        match r.randrange(8):
            case 0 | 1:
                return f"{r.choice(['BAND', 'BOR', 'BXOR'])}({x}, {y})"
            case 2:
                return f"BNOT({x})"
            case 3:
                return f"{r.choice(['LSR', 'LSL', 'ROR'])}({x}, {r.randrange(bits + 2)})"
            case 4:
                return f"BITS({x}, {field})"
            case 5:
                value = f"BITS({y}, 0, {high - low})" if self.chance(0.8) else self.number(depth - 1)
                return f"SETBITS({x}, {field}, {value})"
            case 6:
                found = self.call(t, depth - 1)
                return x if found is None else found
        return f"SYSTEM.VAL({t}, {x} {r.choice('+-*')} {y})"

    def colour(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.5):
            return self.rng.choice(["red", "green", "blue", "colour"])
        return f"Colour(({self.number(depth - 1)}) MOD 3)"

    def truth(self, depth: int = DEPTH) -> str:
        r = self.rng
        t = r.choice(list(WIDTHS))
        if depth <= 0:
            return f"({r.randrange(8)} IN {self.word(t, 0)})"
        match r.randrange(5):
            case 0:
                return f"(({self.number(depth - 1)}) MOD 40 IN {self.word(t, depth - 1)})"
            case 1:
                return f"({self.number(depth - 1)} {r.choice(['<', '=', '>='])} {self.number(depth - 1)})"
            case 2:
                return f"({self.truth(depth - 1)}) {r.choice(['&', 'OR'])} ({self.truth(depth - 1)})"
            case 3:
                return f"~({self.truth(depth - 1)})"
        return f"ODD({self.word(t, depth - 1)})"

    def argument(self, t: str, depth: int) -> str:
        if t == "array":
            return self.rng.choice(["Table", "numbers"])
        return self.number(depth) if t == "INTEGER" else self.truth(depth) if t == "BOOLEAN" else self.word(t, depth)

    def call(self, result: str, depth: int) -> str | None:
        found = [f for f in self.functions if f[1] == result and not (self.guard and f[0] in self.endless)]
        if not found:
            return None
        name, _, types = self.rng.choice(found)
        return f"{name}({', '.join(self.argument(t, min(depth, 1)) for t in types)})"

    # --- statements ------------------------------------------------------------------------------------------------

    def statements(self, depth: int, returns: str = "") -> list[str]:
        return [s for _ in range(self.rng.randint(1, 3)) for s in self.statement(depth, returns)]

    def statement(self, depth: int, returns: str) -> list[str]:
        r = self.rng
        kind = r.randrange(10 if depth > 0 else 4)
        if kind in (0, 1):
            name = r.choice(self.changed)
            return [f"{name} := {self.number()}"]
        if kind == 2:
            name, t = r.choice([(n, t) for n, t in self.words if not n.startswith("p")])
            if self.chance(0.3):
                bit = f"({self.number(1)}) MOD {WIDTHS[t]}"
                return [f"{r.choice(['INCL', 'EXCL'])}({name}, {bit})"]
            return [f"{name} := {self.word(t)}"]
        if kind == 3:
            if self.loops and self.chance(0.5):
                return [f"IF {self.truth(1)} THEN EXIT {r.choice(self.loops)} END"]
            if returns and self.chance(0.4):
                return [f"IF {self.truth(1)} THEN RETURN {self.argument(returns, 1)} END"]
            return [f"INC({r.choice(self.changed)}, ORD({self.truth(1)}))"]
        if kind == 4:
            inside = self.statements(depth - 1, returns)
            return [
                f"IF {self.truth(2)} THEN {'; '.join(inside)} ELSE {'; '.join(self.statements(depth - 1, returns))} END"
            ]
        if kind == 5 and self.effects and not returns:
            name, _, types = r.choice(self.effects)
            return [f"{r.choice(self.changed)} := {name}({', '.join(self.argument(t, 1) for t in types)})"]
        return self.loop(depth, returns)

    def loop(self, depth: int, returns: str) -> list[str]:
        r = self.rng
        label = self.fresh("loop")
        self.loops.append(label)
        if self.chance(0.7):
            counter = self.fresh("i") if self.chance(0.5) else "i"
            typed = " : INT16" if self.chance(0.2) else ""
            bounds = r.choice(
                ["0 TO 4", "3 TO 0 BY -1", "1 TO LEN(Table)", "2 TO 3" if typed else f"0 TO ({self.number(0)}) MOD 5"]
            )
            self.numbers.append(counter)
            body = self.statements(depth - 1, returns)
            self.numbers.remove(counter)
            text = f"{label}: FOR VAR {counter}{typed} := {bounds} DO {'; '.join(body)} END"
        elif self.chance(0.5):
            text = f"{label}: FOR VAR colour := red TO {r.choice(['green', 'blue'])} DO "
            text += f"{'; '.join(self.statements(depth - 1, returns))} END"
        else:
            body = self.statements(depth - 1, returns)
            text = f"steps := 0; {label}: LOOP INC(steps); IF steps > {r.randint(1, 5)} THEN EXIT {label} END; "
            text += f"{'; '.join(body)}; IF steps > 40 THEN EXIT END END"
        self.loops.remove(label)
        return [text]

    # --- declarations ----------------------------------------------------------------------------------------------

    def procedure(self, effect: bool) -> list[str]:
        r = self.rng
        name = self.fresh("Next" if effect else "F")
        result = "INTEGER" if effect else r.choice(["INTEGER", "UINT8", "UINT16", "UINT32"])
        types = [r.choice(["INTEGER", "UINT8", "UINT16", "UINT32", "BOOLEAN", "array"]) for _ in range(r.randint(0, 3))]
        formals = [f"p{i} : {'ARRAY OF INTEGER' if t == 'array' else t}" for i, t in enumerate(types)]
        before = self.numbers, self.words, self.changed, self.loops
        self.numbers = ["local", *(f"p{i}" for i, t in enumerate(types) if t == "INTEGER")]
        self.numbers += [f"p{i}[({self.rng.randint(0, 4)})]" for i, t in enumerate(types) if t == "array"]
        self.numbers += ["total"] if self.chance(0.5) else []
        self.words = [(f"w{t[4:]}", t) for t in WIDTHS] + [(f"p{i}", t) for i, t in enumerate(types) if t in WIDTHS]
        self.changed, self.loops = ["local", *(["total"] if effect else [])], []
        body = [*self.statements(2, result), f"RETURN {self.argument(result, 2)}"]
        self.numbers, self.words, self.changed, self.loops = before
        heading = f"PROCEDURE {name}({'; '.join(formals)}) : {result}{' WRITES total' if effect else ''};"
        first = self.rng.randint(0, 9)
        variables = (
            f"VAR local, steps : INTEGER := {first}; colour : Colour; w8 : UINT8 := 5; w16 : UINT16; w32 : UINT32;"
        )
        text = " ".join(body)
        if ": LOOP " in text or any(f"{f}(" in text for f in self.endless):
            self.endless.add(name)
        (self.effects if effect else self.functions).append((name, result, types))
        return [heading, variables, "BEGIN", "  " + ";\n  ".join(body), f"END {name};", ""]

    def program(self) -> str:
        r = self.rng
        table = ", ".join(str(r.randint(-9, 99)) for _ in range(5))
        weights = ", ".join(str(r.randint(-99, 300)) for _ in range(3))
        points = ", ".join(f"[x := {r.randint(-99, 99)}, y := {r.randint(0, 255)}]" for _ in range(2))
        lines = [
            "TYPE Colour = (red, green, blue); Msg = [m(INTEGER), n(UINT16)]; Lines = ARRAY 3 OF Msg;",
            "  Point = RECORD x : INT16; y : UINT8 END;",
            f"CONST K = {r.randint(0, 9)}; Table : ARRAY 5 OF INTEGER = [{table}];",
            f"  Weights : ARRAY Colour OF INTEGER = [{weights}]; Grid : ARRAY 2 OF Point = [{points}];",
            f"VAR total : INTEGER := {r.randint(0, 50)}; numbers : ARRAY 5 OF INTEGER := Table; lines_heard : INTEGER;",
            "PORT lines : Lines;",
            "",
        ]
        for _ in range(r.randint(1, 4)):
            lines += self.procedure(effect=False)
        for _ in range(r.randint(0, 2)):
            lines += self.procedure(effect=True)
        own = "VAR x, y, steps : INTEGER; colour : Colour; w8 : UINT8 := 0F0H; w16, heard : UINT16; w32 : UINT32;"
        self.numbers, self.changed = ["x", "y", "total", "numbers[1]"], ["x", "y", "total", "numbers[2]", "numbers[0]"]
        self.words = [(f"w{t[4:]}", t) for t in WIDTHS]
        lines += ["PROCESS Speak(me : INTEGER; out : Msg!);", own, "BEGIN"]
        body = self.statements(2) + [f"out!m({self.number()})", *self.statements(2), f"out!n({self.word('UINT16')})"]
        lines += ["  " + ";\n  ".join(body), "END Speak;", "", "PROCESS Hear(in : Lines?);", own, "BEGIN"]
        self.guard = True
        guard = f" & ({self.truth(2)} OR TRUE)" if self.chance(0.6) else ""
        faulty = f" & (Table[x MOD {r.choice([5, 6])}] < 1000)" if self.chance(0.2) else ""
        self.guard = False
        lines += [
            "  WHILE lines_heard < 6 DO",
            "    SELECT",
            f"      WHEN FOR k IN 0 .. 2 : in[k]?m(x){guard} THEN",
            f"        INC(lines_heard); y := k; {'; '.join(self.statements(1))}",
            f"      WHEN FOR k IN 0 .. 1 : in[k]?n(heard){faulty} THEN INC(lines_heard); w16 := heard",
            "      WHEN in[2]?n(w16) THEN INC(lines_heard)",
            "    END",
            "  END",
            "END Hear;",
        ]
        starts = ["FOR VAR i := 0 TO 2 DO NEW(lines[i]); CREATE Speak(i, lines[i]) END", "CREATE Hear(lines)"]
        return module("Computing", ["SYSTEM"], lines, starts)


def computing(seed: int) -> str:
    return Computing(seed).program()

"""Random small programs that keep what they read: sensors, messages, counters, arrays, records, guards, calls, faults.
Ports have 2 to 4 bits (RANGES), so that every value can be tried.
"""

from __future__ import annotations

import random

RANGES = ("10H in 0..3", "11H in 0..7", "12H in 2..9", "13H in 0..15")
NARROW = ("10H in 0..2", "11H in 0..2", "12H in 2..4", "13H in 0..3")  # where they are combined
CHARACTERS = 'console in "a-c"'
PORTS = ("10H", "11H", "12H", "13H")
NAMES = ("a", "b", "c")


class Sampling:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"sampling {seed}")
        self.channel = self.rng.random() < 0.6
        self.interrupt = self.rng.random() < 0.4
        self.calls = self.rng.random() < 0.4

    def text(self) -> str:
        r = self.rng
        parts = [self.worker(0)]
        if self.channel:
            parts.append(self.receiver())
        elif r.random() < 0.5:
            parts.append(self.worker(1))
        if self.interrupt:
            parts.append(self.counter())
        names = ["Worker0"] + ["Receiver"] * self.channel + ["Worker1"] * ("Worker1" in "".join(parts))
        names += ["Counter"] * self.interrupt
        make = "NEW(ch); " if self.channel else ""
        return (
            "MODULE Sampling;\nIMPORT SYSTEM;\nTYPE Msg = [value(UINT8), pair(UINT8, BOOLEAN), none];\n"
            "  Pair = RECORD low, high : UINT8 END; Mode = (idle, low, high); Small = 0..5;\n"
            "VAR g : UINT8; t : INT8; flag : BOOLEAN; w : UINT16; mode : Mode; cell : ARRAY 3 OF UINT8; p : Pair;\n"
            + ("PORT ch : Msg;\n" if self.channel else "")
            + (self.helper() if self.calls else "")
            + "\n".join(parts)
            + f"\nBEGIN {make}{'; '.join('CREATE ' + n for n in names)} END Sampling.\n"
        )

    def helper(self) -> str:
        return (
            "PROCESS Clamp(v, limit : UINT8; VAR to : UINT8);\nBEGIN\n"
            "  IF v > limit THEN to := limit ELSE to := v END\nEND Clamp;\n"
        )

    def read(self) -> str:
        return f"PORTIN({self.rng.choice(PORTS)})"

    def value(self, depth: int = 2) -> str:
        r = self.rng
        k = r.random()
        if depth == 0 or k < 0.35:
            return r.choice(["a", "b", "g", "cell[1]", "p.low", str(r.randint(0, 9)), self.read()])
        x, y = self.value(depth - 1), self.value(depth - 1)
        c = r.choice([1, 2, 3, 4, 5, 8])
        return r.choice(
            [
                f"({x} + {c}) MOD 16",
                f"{x} DIV {c}",
                f"{x} MOD {c + 1}",
                f"({x} + {y}) MOD 32",
                f"({x} * {c}) MOD 16",
                f"cell[{x} MOD 3]",
                f"({x} - {c}) MOD 8" if r.random() < 0.2 else f"({x} + {16 - c}) MOD 16",
            ]
        )

    def condition(self) -> str:
        r = self.rng
        x = self.value(1)
        simple = [
            f"{x} {r.choice(['<', '>', '<=', '>=', '=', '#'])} {r.randint(0, 10)}",
            f"ODD({x})",
            "flag",
            f"{self.value(1)} {r.choice(['<', '=', '>'])} {self.value(0)}",
            f"mode = {r.choice(['idle', 'low', 'high'])}",
            f"w > {r.randint(0, 40)}",
        ]
        if r.random() < 0.25:
            return f"({r.choice(simple)}) {r.choice(['&', 'OR'])} ({r.choice(simple)})"
        return r.choice(simple)

    def statement(self, depth: int = 2) -> str:
        r = self.rng
        target = r.choice(["a", "b", "a", "b", "g", "p.high", "cell[0]", "cell[2]"])
        k = r.random()
        if k < 0.3:
            return f"{target} := {self.read()}"
        if k < 0.5:
            return f"{target} := {self.value()}"
        if k < 0.68 and depth:
            other = f" ELSE {self.statement(depth - 1)}" if r.random() < 0.6 else ""
            return f"IF {self.condition()} THEN {self.statement(depth - 1)}{other} END"
        if k < 0.72:
            return f"flag := {self.condition()}"
        if k < 0.76:
            return f"w := UINT16({self.value(1)}) * {r.randint(1, 9)}"
        if k < 0.80:
            return f"mode := {r.choice(['idle', 'low', 'high'])}"
        if k < 0.84:
            return f"ASSERT({self.condition()})"
        if k < 0.87:
            return f"cell[{self.value(1) if r.random() < 0.3 else self.value(1) + ' MOD 3'}] := {self.value(1)}"
        if k < 0.90:
            by = self.value(0)
            divided = f"g := 20 DIV {'g' if by.isdigit() else by}"  # by a number it were a constant, which may not fit
            return r.choice(["INC(g)", "DEC(g)", divided, "t := INT8(a) - 4"])
        if k < 0.93:
            labels = "0, 1: b := 1 | 2..5: b := 2"
            return f"CASE {self.value(1)} OF {labels} {'ELSE b := 0 ' if r.random() < 0.8 else ''}END"
        if k < 0.96 and self.calls:
            return f"Clamp({self.value(1)}, {r.randint(1, 9)}, {r.choice(['a', 'b', 'g'])})"
        return "RESCHEDULE"

    def meeting(self) -> str:
        r = self.rng
        return r.choice(["ch!value(a)", f"ch!value({self.value(1)})", f"ch!pair(b, {self.condition()})", "ch!none"])

    def worker(self, number: int) -> str:
        r = self.rng
        body = [self.statement() for _ in range(r.randint(2, 4))] + ["RESCHEDULE"]
        body += [self.statement() for _ in range(r.randint(0, 2))]
        if self.channel and number == 0:
            body.append(self.meeting())
        if r.random() < 0.7 or self.channel:
            body = [f"LOOP {'; '.join([*body, 'RESCHEDULE'])} END"]
        return f"PROCESS Worker{number};\nVAR a, b : UINT8;\nBEGIN\n  " + ";\n  ".join(body) + f"\nEND Worker{number};"

    def receiver(self) -> str:
        r = self.rng
        guard = f" & ({r.choice(['g < 5', 'b # 2', 'flag', 'ODD(b)', 'mode = idle'])})" if r.random() < 0.3 else ""
        clauses = [f"WHEN ch?value(a){guard} THEN {self.statement()}", f"WHEN ch?pair(b, flag) THEN {self.statement()}"]
        clauses.append(f"WHEN ch?none THEN {self.statement()}")
        if r.random() < 0.2:
            clauses.pop(r.randrange(3))
        return (
            "PROCESS Receiver SERVER;\nVAR a, b : UINT8;\nBEGIN\n  LOOP SELECT "
            + "\n    ".join(clauses)
            + " END END\nEND Receiver;"
        )

    def counter(self) -> str:
        r = self.rng
        top = r.randint(3, 12)
        then = r.choice(["n := 0", "n := 0; g := 1", f"n := 0; ASSERT({self.condition().replace('a', 'g')})"])
        if "ASSERT" in then:
            then = "n := 0; ASSERT(g < 200)"
        return (
            f"PROCESS Counter SERVER;\nVAR n : UINT8;\nBEGIN\n  LOOP SYSTEM.INT[1]?INTERRUPT; INC(n); "
            f"IF n {r.choice(['=', '>=', '>'])} {top} THEN {then} END END\nEND Counter;"
        )


class Tying(Sampling):
    """What is kept depends on each other: sums beside their summands, comparisons of variables whose answer matters
    later, copies, what the console says, messages that must match."""

    KEPT = ("a", "b", "g", "cell[0]", "p.low", "p.high")

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.rng = random.Random(f"tying {seed}")

    def condition(self) -> str:
        r = self.rng
        if r.random() < 0.4:
            return super().condition()
        x, y, z = (r.choice(self.KEPT) for _ in range(3))
        op = r.choice(["<", ">", "<=", ">=", "=", "#"])
        return r.choice([f"{x} {op} {y}", f"{x} + {y} {op} {z} + {r.randint(0, 5)}", f"INTEGER({x}) - {y} {op} {z}"])

    def statement(self, depth: int = 2) -> str:
        r = self.rng
        k = r.random()
        x, y, z = (r.choice(self.KEPT) for _ in range(3))
        if k < 0.2 and depth:
            then = f"RESCHEDULE; {self.statement(depth - 1)}; RESCHEDULE; {self.statement(0)}"
            return f"IF {x} {r.choice(['<', '>', '=', '#'])} {y} THEN {then} END"
        if k < 0.3:
            return f"{x} := ({y} + {z}) MOD 16"
        if k < 0.36:
            return f"{x} := {y}; {z} := {self.read()}"
        if k < 0.40:
            return f"p.low := {self.read()}; p.high := (p.low + {x}) MOD 32; RESCHEDULE; ASSERT(p.high - p.low < 32)"
        if k < 0.44:
            return f"SYSTEM.READ(ch1); IF ch1 > 'b' THEN {x} := UINT8(ORD(ch1)) MOD 8 END"
        return super().statement(depth)

    def worker(self, number: int) -> str:
        """It reads before all else, and asks something of both."""
        x, y = self.rng.sample(self.KEPT, 2)
        first = f"{x} := {self.read()}; {y} := {self.read()}; RESCHEDULE; "
        if self.rng.random() < 0.7:
            asked = f"{x} {self.rng.choice(['<', '>', '<=', '#'])} {y}"
            first += f"IF {asked} THEN RESCHEDULE; ASSERT(({asked}) OR ({self.condition()})); {self.statement(1)} END; "
        return super().worker(number).replace("LOOP ", f"LOOP {first}", 1)

    def text(self) -> str:
        return super().text().replace("VAR g : UINT8;", "VAR ch1 : CHAR; g : UINT8;", 1)

"""Random small drivers, as source text: they read ports and registers, and test what they have read in many ways."""

from __future__ import annotations

import random

from tests.generate.writer import Weights, Writer


class Drivers(Writer):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.reads = 0

    def text(self) -> str:
        helpers = []
        for i in range(2):
            helpers.append(self.helper(i))
            self.reads = 0
        drivers = [self.driver(i) for i in range(self.rng.choice([1, 1, 1, 2]))]
        created = "; ".join(f"CREATE Driver{i}" for i in range(len(drivers)))
        return (
            "MODULE Drivers;\nIMPORT SYSTEM;\n"
            "VAR status AT 40H : SET8; data AT 41H : UINT8; letter AT 42H : CHAR; flag : BOOLEAN; n, k : UINT8;\n"
            "  bits : SET8; a : ARRAY 5 OF UINT8;\n"
            + self.assumptions()
            + "\n".join(helpers + drivers)
            + f"\nBEGIN {created} END Drivers.\n"
        )

    def assumptions(self) -> str:
        """Of some inputs, what they can give; drawn last, so that the program beside it is the same without them."""
        stated = []
        for port in ("PORTIN(10H)", "data"):
            if self.chance(0.25):
                low = self.rng.choice([0, 0, 3, 100])
                stated.append(f"{port} IN {low} .. {self.rng.randint(low, 255)};")
        if self.chance(0.1):
            stated.append('console IN "a0-3";')
        return f"ASSUME {' '.join(stated)}\n" if stated else ""

    def helper(self, number: int) -> str:
        """An ordinary function, whose variables keep what was read."""
        body = self.block(4, local=True)
        return (
            f"PROCESS Helper{number}(limit : UINT8; VAR result : UINT8);\n"
            "VAR x, y : UINT8; s : SET8; w : UINT16; i : UINT8;\n"
            f"BEGIN\n  x := {self.number()};\n  " + ";\n  ".join(body) + f"\nEND Helper{number};"
        )

    def driver(self, number: int) -> str:
        body = []
        for _ in range(self.rng.randint(3, 4)):
            body += self.block(1, local=False) + ["RESCHEDULE"]
            self.reads = 0
        return (
            f"PROCESS Driver{number};\nVAR x, y : UINT8; s : SET8; w : UINT16; i : UINT8;\nBEGIN\n  "
            + ";\n  ".join(body)
            + f"\nEND Driver{number};"
        )

    # --- values -----------------------------------------------------------------------------------------------

    def number(self) -> str:
        """An UINT8 from outside; at most two in an action, since each has 256 values."""
        if self.reads >= 2:
            return "k"
        self.reads += 1
        return self.rng.choice(["PORTIN(10H)", "data", "SYSTEM.VAL(UINT8, status)", "UINT8(ORD(letter))"])

    def tested(self, local: bool) -> str:
        """An UINT8 that is, or comes from, an input."""
        rng = self.rng
        e = rng.choice(["x", "x", "y"]) if local and rng.random() < 0.7 else self.number()
        match rng.randrange(9):
            case 0:
                return f"{e} DIV {rng.choice([2, 4, 16, 3])}"
            case 1:
                return f"{e} MOD {rng.choice([2, 8, 64, 10])}"
            case 2:
                return f"{e} DIV {rng.choice([2, 4, 8])} MOD {rng.choice([2, 4, 16])}"
            case 3:
                return f"({e} + {rng.randint(1, 9)})"
            case 4:
                return f"ASR({e}, {rng.randint(0, 7)})"
            case _:
                return e

    def set(self, local: bool) -> str:
        rng = self.rng
        e = "bits" if self.reads >= 2 else rng.choice(["status", "SYSTEM.VAL(SET8, PORTIN(11H))"])
        e = "s" if local and rng.random() < 0.5 else e
        self.reads += e not in ("s", "bits")
        return e if rng.random() < 0.5 else f"({e} * {rng.choice(['{1, 4}', '{0 .. 3}', '{7}', '{2, 3, 6}'])})"

    def condition(self, local: bool) -> str:
        rng = self.rng
        op = rng.choice(["=", "#", "<", "<=", ">", ">="])
        match rng.randrange(11):
            case 0:
                return f"ODD({self.tested(local)})"
            case 1:
                return f"({rng.choice(['0', '3', '7', 'n'])} IN {self.set(local)})"
            case 2:
                return (
                    f"({self.set(local)} {rng.choice(['=', '#', '<='])} {rng.choice(['{}', '{1}', '{1, 4}', 'bits'])})"
                )
            case 3:
                return f"(letter {op} '{rng.choice('aZ0')}')"
            case 4:
                return f"({rng.choice(['n', 'k', '100'])} {op} {self.tested(local)})"
            case 5:
                return f"(UINT16({self.tested(local)}) * 2 {op} {rng.randint(0, 300)})"
            case 6:
                return f"({self.tested(local)} {op} {self.tested(local)} DIV 64)"
            case 7:
                return f"~{self.condition(local)}" if self.reads < 2 else "flag"
            case 8:
                return (
                    f"({self.condition(local)} {rng.choice(['&', 'OR'])} {self.condition(local)})"
                    if self.reads < 2
                    else "flag"
                )
            case _:
                return f"({self.tested(local)} {op} {rng.choice(['0', '1', '5', '17', '128', '200', '255', 'n'])})"

    # --- statements --------------------------------------------------------------------------------------------

    def block(self, length: int, local: bool) -> list[str]:
        return [self.statement(local) for _ in range(length)]

    def statement(self, local: bool) -> str:
        rng = self.rng
        match rng.randrange(14):
            case 0 | 1 | 2 | 3:
                return f"IF {self.condition(local)} THEN {self.effect(local)} ELSE {self.effect(local)} END"
            case 4:
                return (
                    f"CASE {self.tested(local)} OF 0 .. 9: {self.effect(local)} | 13, 77: {self.effect(local)}"
                    f" | 40 .. 45, 200 .. 255: n := 1{rng.choice([' ELSE k := 2', ' ELSE'])} END"
                )
            case 5:
                return f"ASSERT({self.condition(local)} OR {rng.choice(['flag', '(n > 0)'])})"
            case 6 if local:
                return f"x := {self.tested(local)}"
            case 7 if local:
                return f"y := {self.tested(local)}; s := {self.set(local)}"
            case 8 if local:
                return rng.choice(
                    ["INC(x, 3)", "x := y", "w := UINT16(x) + 1; IF w > 20 THEN n := 1 END", "result := x DIV 32"]
                )
            case 9:
                return f"FOR i := 0 TO {self.tested(local)} MOD 4 DO k := (k + 1) MOD 8 END"
            case 10:
                return f"IF {self.tested(local)} < 5 THEN a[{self.number()} MOD 5] := 1 END"
            case 11 if not local:
                if self.reads:
                    return self.effect(local)
                self.reads = 2
                return f"Helper{rng.randint(0, 1)}({rng.choice(['n', '7'])}, {rng.choice(['k', 'n'])})"
            case 12 if local:
                return f"WHILE (k < 3) & (x {rng.choice(['<', '#', '>'])} {rng.choice(['y', '9'])}) DO INC(k) END"
            case 13:
                return f"bits := {self.set(local)} * {{1, 3}}"
            case _:
                return f"flag := {self.condition(local)}"

    def effect(self, local: bool) -> str:
        more = ["result := 1", "result := x MOD 4", "IF x > y THEN n := 0 END"] if local else []
        return self.rng.choice(["n := (n + 1) MOD 4", "k := 1", "flag := ~flag", "n := 0", "bits := {}", *more])

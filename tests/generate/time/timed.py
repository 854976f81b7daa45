"""Random small programs in which much depends on time, and worlds for them, as source text."""

from __future__ import annotations

import random

from tests.generate.writer import Weights, Writer


class Timed(Writer):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.world = rng.choice(["closed", "closed", "interrupts", "environment"])
        self.clock = self.chance(weights.time)  # the program reads it

    def program(self) -> str:
        count = self.rng.choice([2, 2, 3])
        processes = [self.process(i, f"P{i}") for i in range(count)]
        created = "; ".join(f"CREATE P{i}" for i in range(count))
        return (
            "MODULE Program;\nIMPORT Clock, SYSTEM;\nTYPE Line = [tick, tock(UINT8)];\n"
            "VAR n* : UINT8; t : UINT32;\nPORT line : Line;\n"
            + "\n".join(processes)
            + f"\nBEGIN NEW(line); {created} END Program.\n"
        )

    def process(self, number: int, name: str) -> str:
        rng = self.rng
        body = [self.statement(number) for _ in range(rng.randint(1, 3))]
        body.append(self.pause() if rng.random() < 0.8 else self.statement(number))
        rng.shuffle(body)
        loops = rng.random() < 0.6
        text = ";\n    ".join(body)
        return (
            f"PROCESS {name}{rng.choice(['', '', ' SERVER'])};\nVAR x : UINT8;\nBEGIN\n  "
            + (f"LOOP\n    {text}\n  END" if loops else text)
            + f"\nEND {name};"
        )

    def pause(self) -> str:
        if self.rng.random() < 0.3:
            return f"Clock.Sleep(UINT32(n) + {self.rng.randint(0, 3)})"
        return f"Clock.Sleep({self.rng.randint(0, 6)})"

    def statement(self, number: int) -> str:
        rng = self.rng
        kinds = ["pause", "count", "send", "receive", "select", "select", "assert", "again"]
        kinds += ["clock", "since"] * 2 if self.clock else []
        kinds += ["interrupt"] * 2 if self.world != "closed" else []
        kinds += ["port"] if self.world == "environment" else []
        sends = number % 2 == 0  # some send, others receive
        match rng.choice(kinds):
            case "pause":
                return self.pause()
            case "send":
                return rng.choice(["line!tick", "line!tock(n)"]) if sends else "line?tick"
            case "receive":
                return "line!tick" if sends else rng.choice(["line?tick", "line?tock(x)"])
            case "select":
                return self.select(sends)
            case "assert":
                return f"ASSERT(n < {rng.choice([3, 3, 3, 2])})"
            case "again":
                return "RESCHEDULE" if rng.random() < 0.3 else "n := 0"
            case "clock":
                return "IF Clock.Now MOD 4 < 2 THEN n := (n + 1) MOD 3 END"
            case "since":
                return rng.choice(["t := Clock.Now MOD 8", "IF Clock.Now MOD 8 = t THEN n := 0 END"])
            case "interrupt":
                return "SYSTEM.INT[1]?INTERRUPT"
            case "port":
                return "n := PORTIN(40H) MOD 3"
            case _:
                return "n := (n + 1) MOD 3"

    def select(self, sends: bool) -> str:
        rng = self.rng
        clauses = ["WHEN line!tick THEN n := 1" if sends else "WHEN line?tock(x) THEN n := x MOD 3"]
        guard = rng.choice(["", "", " & (n < 2)"])
        clauses.append(f"WHEN Clock.After({rng.randint(0, 5)}){guard} THEN n := 2")
        if rng.random() < 0.3:
            clauses.append(f"WHEN Clock.After({rng.randint(0, 5)}) THEN n := 0")
        if self.world != "closed" and rng.random() < 0.3:
            clauses.append("WHEN SYSTEM.INT[1]?INTERRUPT THEN n := 0")
        rng.shuffle(clauses)
        return "SELECT " + "\n      ".join(clauses) + "\n    END"

    def environment(self) -> str:
        """Empty: there is none."""
        if self.world != "environment":
            return ""
        rng = self.rng
        pace = rng.choice(["", f"Clock.Sleep({rng.randint(1, 5)}); ", "RESCHEDULE; "])
        now = "UINT32(ORD(Clock.Now MOD 4 = 1))" if self.clock and rng.random() < 0.5 else "2"
        return (
            "ENVIRONMENT MODULE World;\nIMPORT Clock, SYSTEM;\nVAR k : UINT8;\n"
            "PROCESS Port SERVER;\nBEGIN\n  LOOP SYSTEM.IOPORT?PORTIN(8, 40H); "
            f"SYSTEM.IOPORT!VALUE({now}) END\nEND Port;\n"
            f"PROCESS Button SERVER;\nBEGIN\n  LOOP {pace}SYSTEM.INT[1]!INTERRUPT END\nEND Button;\n"
            "BEGIN CREATE Port; CREATE Button END World.\n"
        )

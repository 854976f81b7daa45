"""Random programs with drivers, and random environment modules that stand in for their devices, as source text."""

from __future__ import annotations

import random

from tests.generate.writer import Weights, Writer, imports_of, module, ticking

NEVER_TAKEN = 9  # an interrupt that only the environment names


class Driven(Writer):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.properties = weights.properties
        self.devices = rng.choice([1, 1, 2, 2, 3])
        self.drivers = [d for d in range(self.devices) for _ in range(rng.choice([1, 1, 1, 2]))]
        self.workers = rng.choice([0, 1, 1, 2, 2])
        self.channels = [f"c{i}" for i in range(rng.choice([1, 2, 2, 3]))]
        self.interrupts = list(range(1, 1 + rng.choice([0, 1, 1, 2])))
        self.meets = self.chance(weights.meets)
        self.looks = self.chance(weights.looks)
        self.time = self.chance(weights.time)
        self.world = self.chance(weights.world)
        self.busy = self.chance(weights.busy)
        self.asserts = self.chance(weights.asserts)
        self.ticks = self.chance(weights.ticks)
        self.accesses_within = self.chance(weights.nested_access)
        self.steers = self.chance(weights.steers)  # the program is not to see all of it

    # --- the program -----------------------------------------------------------------------------------------------

    def program(self) -> str:
        names = [f"P{i}" for i in range(len(self.drivers) + self.workers)]
        of = [*self.drivers, *([None] * self.workers)]
        processes = [self.process(name, d) for name, d in zip(names, of, strict=True)]
        if self.ticks:
            processes.append(ticking())
        starts = [f"NEW({c})" for c in self.channels] + [f"CREATE {n}({self.rng.choice(self.channels)})" for n in names]
        formulas = [f"PROPERTY p{i} = {self.formula(2)};" for i in range(2)] if self.properties else []
        lines = [
            "TYPE Ch* = [m(UINT8), n];",
            f"PORT {', '.join(f'{c}*' for c in self.channels)} : Ch;",
            "VAR g0*, g1* : 0 .. 3;",
            *(f"VAR r{d} AT {16 * d + 1} : UINT8;" for d in range(self.devices)),
            *processes,
            *formulas,
        ]
        starts += ["CREATE Tick"] * self.ticks
        return module("Main", imports_of(SYSTEM=True, Clock=self.time), lines, starts)

    def process(self, name: str, device: int | None) -> str:
        server = " SERVER" if self.chance(0.3) else ""
        statements = [self.statement(device) for _ in range(self.rng.choice([2, 2, 3, 3]))]
        body = ";\n    ".join(statements)
        times = self.rng.choice(["LOOP\n    {}\n  END", "FOR i := 1 TO 2 DO\n    {}\n  END", "{}", "{}"])
        if times.startswith("LOOP"):
            body += ";\n    RESCHEDULE"
        return (
            f"PROCESS {name}(c : Ch){server};\nVAR i : INTEGER; x, y : UINT8;\n"
            f"BEGIN\n  {times.format(body)}\nEND {name};"
        )

    def statement(self, device: int | None) -> str:
        rng = self.rng
        if device is not None and self.chance(0.6):
            return self.driving(device)
        choices = [
            "c!m(x)",
            "c?m(y)",
            "RESCHEDULE",
            self.change(),
            f"{rng.choice(self.channels)}{rng.choice(['!n', '?n', '!m(y)'])}",
            "SELECT WHEN c?m(y) THEN x := y MOD 2 WHEN c?n THEN END",
            f"SELECT WHEN c?m(x) THEN {self.change()} ELSE y := 1 END",
        ]
        if self.asserts:
            choices += [f"ASSERT({rng.choice(['x', 'y', 'g0', 'g1'])} # {rng.choice([1, 2])})"] * 3
        if self.time:
            choices += ["Clock.Sleep(5)", "SELECT WHEN c?m(y) THEN WHEN Clock.After(3) THEN y := 2 END"]
        return rng.choice(choices)

    def driving(self, d: int) -> str:
        rng = self.rng
        if self.steers and self.chance(0.5):
            return f"x := PORTIN({16 * d + rng.randint(0, 1)}) MOD 4; ASSERT(x # {rng.choice([1, 1, 2])})"
        choices = [
            f"x := PORTIN({16 * d}) MOD 4",
            f"PORTOUT({16 * d}, x)",
            f"y := r{d} MOD 4",
            f"r{d} := y",
            f"REPEAT x := PORTIN({16 * d}); RESCHEDULE UNTIL x # 1",
            f"x := PORTIN({16 * d}) MOD 4; c!m(x)",
        ]
        if self.interrupts:
            n = rng.choice(self.interrupts)
            choices += [f"SYSTEM.INT[{n}]?INTERRUPT"] * 3
            choices.append(f"SELECT WHEN SYSTEM.INT[{n}]?INTERRUPT THEN y := 1 WHEN c?m(y) THEN END")
            choices.append(f"SELECT WHEN SYSTEM.INT[{n}]?INTERRUPT THEN x := PORTIN({16 * d}) ELSE y := 3 END")
        return rng.choice(choices) + self.claim()

    def claim(self) -> str:
        rng = self.rng
        return f"; ASSERT({rng.choice('xxy')} # {rng.choice([1, 2])})" if self.asserts and self.chance(0.5) else ""

    def change(self) -> str:
        return self.rng.choice(["g0 := x MOD 4", "g1 := (g0 + 1) MOD 4", "x := g1", "y := (x + 1) MOD 3", "x := 2"])

    def formula(self, depth: int) -> str:
        if depth == 0:
            return self.rng.choice(
                [
                    f"g0 = {self.rng.randint(0, 2)}",
                    f"g1 # {self.rng.randint(0, 2)}",
                    f"P0.x = {self.rng.randint(0, 2)}",
                    f"P0.y = {self.rng.randint(0, 2)}",
                    f"{self.rng.choice(['READY', 'WAITING', 'ENDED'])}(P0)",
                    f"TAKEN({self.channels[0]}.m)",
                ]
            )
        inner = self.formula(depth - 1)
        return self.rng.choice(
            [
                f"ALWAYS ({inner})",
                f"EVENTUALLY ({inner})",
                f"EVENTUALLY ALWAYS ({inner})",
                f"({inner}) OR ({self.formula(0)})",
                f"({inner}) UNTIL ({self.formula(0)})",
            ]
        )

    # --- its environment -------------------------------------------------------------------------------------------

    def environment(self) -> str:
        processes = [self.device(d) for d in range(self.devices)]
        names = [f"D{d}" for d in range(self.devices)]
        for i in range(self.rng.choice([0, 0, 1]) + (self.steers or bool(self.interrupts))):
            processes.append(self.source(f"S{i}"))
            names.append(f"S{i}")
        if self.world:
            processes.append("PROCESS Tells; BEGIN FOR told := 1 TO 2 DO world!tell(told) END END Tells;")
            names.append("Tells")
            if self.chance(0.5):
                processes.append("PROCESS Hears SERVER; BEGIN LOOP world?tell(held) END END Hears;")
                names.append("Hears")
        lines = ["TYPE World = [tell(UINT32)];", "VAR held, told : UINT32;", "PORT world : World;", *processes]
        imports = imports_of(SYSTEM=True, Main=True, Clock=self.time)
        return "ENVIRONMENT " + module("Devices", imports, lines, ["NEW(world)", *(f"CREATE {n}" for n in names)])

    def device(self, d: int) -> str:
        rng = self.rng
        clauses = []
        for address in (str(16 * d), str(16 * d + 1)):
            where = "a" if self.devices == 1 and self.chance(0.2) else address
            clauses.append(f"WHEN SYSTEM.IOPORT?PORTIN(8, {where}){self.guard()} THEN {self.answer()}{self.after(d)}")
            clauses.append(f"WHEN SYSTEM.IOPORT?PORTOUT(8, {where}, v) THEN {self.stores()}{self.after(d)}")
        if self.world and self.chance(0.4):
            clauses.append("WHEN world?tell(v) THEN last := v MOD 2")
        if self.interrupts and self.chance(0.1):
            clauses.append(f"WHEN SYSTEM.INT[{rng.choice(self.interrupts)}]?INTERRUPT THEN last := 3")
        if self.time and self.chance(0.4):
            clauses.append("WHEN Clock.After(2) THEN last := 0")
        if self.meets and self.chance(0.5):
            clauses.append(f"WHEN Main.{rng.choice(self.channels)}?n THEN last := 1")
        rng.shuffle(clauses)
        select = "SELECT\n    " + "\n    ".join(clauses) + "\n    END"
        server = " SERVER" if self.chance(0.6) else ""
        return f"PROCESS D{d}{server};\nVAR a, v, last : UINT32;\nBEGIN\n  LOOP {select} END\nEND D{d};"

    def guard(self) -> str:
        return self.rng.choice(["", "", "", "", "", " & (last < 3)", " & (held = 0)"])

    def answer(self) -> str:
        if self.steers and self.chance(0.8):
            return self.rng.choice(["SYSTEM.IOPORT!VALUE(held)", "SYSTEM.IOPORT!VALUE(held); held := last"])
        return self.rng.choice(
            [
                "SYSTEM.IOPORT!VALUE(last)",
                "SYSTEM.IOPORT!VALUE(held MOD 4)",
                "CHOICE SYSTEM.IOPORT!VALUE(0) | SYSTEM.IOPORT!VALUE(2) END",
                "CHOICE last := 1 | last := last MOD 3 END; SYSTEM.IOPORT!VALUE(last)",
                "last := (last + 1) MOD 3; SYSTEM.IOPORT!VALUE(last)",
                "SYSTEM.IOPORT!VALUE(held MOD 4); held := 0",
            ]
        )

    def stores(self) -> str:
        return self.rng.choice(["last := v MOD 4", "held := v MOD 2", "ASSERT(v # 3)", "IF v = 2 THEN last := 1 END"])

    def after(self, d: int) -> str:
        """Now and then something that reaches the program, or keeps the device busy."""
        rng = self.rng
        if self.interrupts and self.chance(0.2):
            return f"; SYSTEM.INT[{rng.choice([*self.interrupts, NEVER_TAKEN])}]!INTERRUPT"
        if self.meets and self.chance(0.15):
            channel = f"Main.{rng.choice(self.channels)}"
            return "; " + rng.choice([f"{channel}!m(2)", f"{channel}!n", f"SELECT WHEN {channel}?n THEN ELSE END"])
        if self.looks and self.chance(0.3):
            return rng.choice(["; IF Main.g0 = 1 THEN last := 0 END", "; held := UINT32(Main.g1)"])
        if self.accesses_within and d > 0 and self.chance(0.5):
            return f"; PORTOUT({16 * d - 16}, 1)"
        if self.world and self.chance(0.1):
            return "; world!tell(1)"
        if self.time and self.chance(0.1):
            return "; Clock.Sleep(1)"
        return "; RESCHEDULE" if self.busy and self.chance(0.3) else ""

    def source(self, name: str) -> str:
        """What happens outside by itself."""
        rng = self.rng
        choices = ["RESCHEDULE; held := (held + 1) MOD 2", "CHOICE held := 1 | held := 0 END; RESCHEDULE"]
        if self.steers:
            choices += ["RESCHEDULE; held := 1; RESCHEDULE; held := 0", "RESCHEDULE; held := held + 1"]
        elif self.interrupts:
            choices += [f"RESCHEDULE; SYSTEM.INT[{rng.choice(self.interrupts)}]!INTERRUPT"] * 4
            choices.append(
                f"RESCHEDULE; SELECT WHEN SYSTEM.INT[{rng.choice(self.interrupts)}]!INTERRUPT THEN "
                "WHEN SYSTEM.IOPORT?PORTIN(8, 0) THEN SYSTEM.IOPORT!VALUE(1) END"
            )
        if self.time:
            choices += ["Clock.Sleep(4); held := 1"]
        if self.meets:
            choices += [f"Main.{rng.choice(self.channels)}!m(1)", f"Main.{rng.choice(self.channels)}?n"]
        if self.accesses_within:
            choices += ["RESCHEDULE; PORTOUT(0, 2)"]
        times = rng.choice(["LOOP {} END", "FOR i := 1 TO 2 DO {} END", "{}"])
        server = " SERVER" if self.chance(0.5) else ""
        return f"PROCESS {name}{server};\nVAR i : INTEGER;\nBEGIN\n  {times.format(rng.choice(choices))}\nEND {name};"

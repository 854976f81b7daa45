"""Random environments for random programs, as source text: devices that answer every access, or nearly, and raise
interrupts."""

from __future__ import annotations

import random


def generate_environment(seed: int, interrupts: list[int]) -> str:
    """`interrupts`: numbers that the program names."""
    return _Writer(random.Random(seed), interrupts).module()


class _Writer:
    def __init__(self, rng: random.Random, interrupts: list[int]) -> None:
        self.rng = rng
        self.numbers = [*interrupts, 77] if rng.random() < 0.3 else interrupts

    def module(self) -> str:
        rng = self.rng
        devices = rng.choice([1, 1, 1, 2])
        processes = [self.device(f"Device{i}") for i in range(devices)]
        created = [f"CREATE Device{i}" for i in range(devices)]
        if self.numbers and rng.random() < 0.7:
            processes.append(self.source())
            created.append("CREATE Source")
        if rng.random() < 0.3:
            processes.append(
                "PROCESS Writer; VAR i : UINT32; BEGIN LOOP world!tell(i); i := (i + 1) MOD 2 END END Writer;"
            )
            processes.append("PROCESS Reader; BEGIN LOOP world?tell(held) END END Reader;")
            created += ["NEW(world)", "CREATE Writer", "CREATE Reader"]
        return "\n".join(
            [
                "ENVIRONMENT MODULE Surroundings;",
                "IMPORT SYSTEM;",
                "TYPE World = [tell(UINT32)];",
                "VAR held : UINT32;",
                "PORT world : World;",
                *processes,
                "BEGIN",
                "  " + ";\n  ".join(created),
                "END Surroundings.",
                "",
            ]
        )

    def device(self, name: str) -> str:
        rng = self.rng
        clauses = [self.read(), self.write()]
        if rng.random() < 0.3:
            clauses.insert(0, self.read("25H"))
        if rng.random() < 0.2:
            clauses.append("WHEN world?tell(v) THEN held := v")
        attribute = " SERVER" if rng.random() < 0.3 else ""
        select = "SELECT " + "\n      ".join(clauses) + "\n    END"
        return (
            f"PROCESS {name}{attribute};\nVAR w : UINT8; a, v, last : UINT32;\n"
            f"BEGIN\n  LOOP\n    {select}\n  END\nEND {name};"
        )

    def read(self, address: str = "a") -> str:
        rng = self.rng
        value = rng.choice(
            [
                "SYSTEM.IOPORT!VALUE(last)",
                "CHOICE SYSTEM.IOPORT!VALUE(0) | SYSTEM.IOPORT!VALUE(3) END",
                "CHOICE last := 1 | last := last MOD 4 END; SYSTEM.IOPORT!VALUE(last)",
                "last := (last + 1) MOD 3; SYSTEM.IOPORT!VALUE(last)",
            ]
        )
        guard = rng.choice(["", "", "", " & (last < 3)"])
        return f"WHEN SYSTEM.IOPORT?PORTIN(w, {address}){guard} THEN {value}{self.afterwards()}"

    def write(self) -> str:
        stored = self.rng.choice(["last := v MOD 4", "IF a > 5 THEN last := 1 END", "held := v MOD 2"])
        return f"WHEN SYSTEM.IOPORT?PORTOUT(w, a, v) THEN {stored}{self.afterwards()}"

    def afterwards(self) -> str:
        """Now and then something that keeps the device busy: the next access may find nobody."""
        rng = self.rng
        if self.numbers and rng.random() < 0.25:
            return f"; SYSTEM.INT[{rng.choice(self.numbers)}]!INTERRUPT"
        return "; RESCHEDULE" if rng.random() < 0.1 else ""

    def source(self) -> str:
        rng = self.rng
        raised = rng.choice(self.numbers)
        if rng.random() < 0.3:
            event = f"SELECT WHEN SYSTEM.INT[{raised}]!INTERRUPT THEN WHEN SYSTEM.IOPORT?PORTIN(8, 1) THEN\n"
            body = event + "      SYSTEM.IOPORT!VALUE(1) END"
        else:
            body = f"SYSTEM.INT[{raised}]!INTERRUPT"
        times = rng.choice(["LOOP {} END", "FOR i := 1 TO 2 DO {} END"])
        return f"PROCESS Source;\nVAR i : INTEGER;\nBEGIN\n  {times.format(body)}\nEND Source;"

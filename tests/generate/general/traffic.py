"""Processes of generated programs that talk to each other: servers, conversations, and some that are stuck for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.generate.general.expressions import Var
from tests.generate.general.statements import Body, Lines, join
from tests.generate.general.types import Ty

if TYPE_CHECKING:
    from tests.generate.general.program import Writer

Script = list[tuple[bool, str, list[Ty]]]  # whether the left one sends, the message, its types


class Traffic:
    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.rng = writer.rng
        self.e = writer.e
        self.s = writer.s

    def servers(self) -> list[str]:
        """Processes that for ever take, or offer, every message of a channel; returns what creates them."""
        created = []
        for port in self.writer.new_ports:
            channel = self.writer.channels[int(port[1]) % len(self.writer.channels)]
            for takes, p in ((True, 0.75), (False, 0.6)):
                if self.e.chance(p):
                    name = self.s.fresh("Take" if takes else "Offer")
                    self.writer.processes.append(self.server(name, channel, takes))
                    created.append(f"CREATE {name}({port})")
        return created

    def server(self, name: str, channel: Ty, takes: bool) -> Lines:
        self.e.scope = list(self.writer.globals)
        body = Body(False, [], [], None, rounds=8)
        variables, ports = self.declare_payloads([types for _, types in channel.messages])
        clauses: Lines = []
        for number, (message, types) in enumerate(channel.messages):
            event = self.event("port", message, types, number, sends=not takes)
            guard = self.s.events.guard() if self.e.chance(0.2) else ""
            inside = self.s.sequence(body, 1, 2) if self.e.chance(0.4) else []
            clauses += [f"WHEN {event}{guard} THEN", *join(inside)]
        start = [[f"NEW({line.split()[0]})"] for line in ports if not takes]
        loop = ["LOOP", "  SELECT", *("    " + c for c in clauses), "  END", "END"]
        variables += [f"  {n} : {t};" for n, t in body.declared]
        head = [f"PROCESS {name}(port : {channel.name}) SERVER;", "VAR", *variables, "PORT", *ports]
        return [*head, "BEGIN", *join([*start, loop]), f"END {name};"]

    def declare_payloads(self, payloads: list[list[Ty]]) -> tuple[Lines, Lines]:
        """Variables and ports for what messages carry, in scope; their declarations."""
        variables: Lines = []
        ports: Lines = []
        for number, types in enumerate(payloads):
            for i, t in enumerate(types):
                name = f"x{number}{i}"
                (ports if t.kind == "channel" else variables).append(f"  {name} : {t.name};")
                self.e.scope.append(Var(name, t))
        return variables, ports

    def event(self, port: str, message: str, types: list[Ty], number: int, sends: bool) -> str:
        parts = []
        for i, t in enumerate(types):
            own = f"x{number}{i}"
            if sends:
                parts.append(self.sent(t, own))
            else:
                other = self.e.designator(lambda other, t=t: other is t, 1, writable=True)  # type: ignore[misc]
                parts.append(other[0] if other is not None and self.e.chance(0.3) else own)
        return f"{port}{'!' if sends else '?'}{message}" + (f"({', '.join(parts)})" if parts else "")

    def sent(self, t: Ty, variable: str) -> str:
        if t.kind == "channel" or (not t.scalar and self.e.chance(0.5)):
            return variable
        self.e.pure = True
        try:
            return self.e.value(t, 2)
        finally:
            self.e.pure = False

    # --- conversations -----------------------------------------------------------------------------------------

    def conversation(self) -> list[str]:
        """Two processes that follow one script, some rounds long, each from its side; returns what creates them."""
        channel = self.rng.choice(self.writer.channels)
        port = self.s.fresh("talk")
        self.writer.declarations += ["PORT", f"  {port} : {channel.name};"]
        script: Script = []
        for _ in range(self.rng.randint(1, 2 if self.writer.profile.small else 4)):
            message, types = self.rng.choice(channel.messages)
            script.append((self.e.chance(0.5), message, types))
        rounds = self.rng.randint(1, 2 if self.writer.profile.small else 6)
        selecting = self.rng.choice(["Left", "Right", ""])
        copies = 1 if self.writer.profile.small else self.rng.choice([1, 1, 1, 2])
        made = [f"NEW({port})"]
        for side in ("Left", "Right"):
            name = self.s.fresh(side)
            self.writer.processes.append(self.side(name, channel, script, rounds, side == "Left", side == selecting))
            made += [f"CREATE {name}({port})"] * copies
        return made

    def side(self, name: str, channel: Ty, script: Script, rounds: int, left: bool, selecting: bool) -> Lines:
        self.e.scope = list(self.writer.globals)
        variables, ports = self.declare_payloads([types for _, _, types in script])
        body = Body(False, [f for f in self.writer.functions if not f.waits], [], None, rounds=max(3, rounds))
        said: list[Lines] = []
        for number, (left_sends, message, types) in enumerate(script):
            event = self.event("port", message, types, number, sends=left_sends == left)
            if selecting and self.e.chance(0.7):
                said.append(self.selected(event, body))
            else:
                said.append([event])
            if self.e.chance(0.4):
                said.append(self.s.statement(body, 1))
        inside: Lines = []
        if self.e.chance(0.35):  # in a process of its own, which uses the variables of this one
            inner = f"{name}Says"
            counters = [f"    {n} : {t};" for n, t in body.declared]
            inside = [f"  PROCESS {inner};", "  VAR", *counters, "  BEGIN", *join(said, "    "), f"  END {inner};"]
            said = [[inner]]
            body.declared.clear()
        variables += [f"  {n} : {t};" for n, t in body.declared]
        start = [[f"NEW({line.split()[0]})"] for line in ports]
        loop = [f"FOR round := 1 TO {rounds} DO", *join(said), "END"]
        lines = [f"PROCESS {name}(port : {channel.name}) MAX 2;", "VAR", "  round : UINT8;", *variables]
        return [*lines, "PORT", *ports, *inside, "BEGIN", *join([*start, loop]), f"END {name};"]

    def selected(self, event: str, body: Body) -> Lines:
        guard = self.s.events.guard() if self.e.chance(0.15) else ""
        inside = self.s.sequence(body, 1, 2) if self.e.chance(0.5) else []
        lines = ["SELECT", f"WHEN {event}{guard} THEN", *join(inside)]
        if self.s.time and self.e.chance(0.15):
            lines += [f"WHEN Clock.After({self.rng.randint(1, 9)}) THEN"]
        elif self.e.chance(0.1):
            lines += ["ELSE", *join(self.s.sequence(body, 0, 1))]
        return [*lines, "END"]

    # --- what cannot go on -------------------------------------------------------------------------------------

    def stuck_processes(self) -> list[str]:
        """Processes that wait for each other, or for nobody."""
        self.writer.declarations += ["TYPE", "  Knot = [tie, loose];", "PORT", "  k0, k1 : Knot;"]
        made = ["NEW(k0)", "NEW(k1)"]
        if self.e.chance(0.5):
            self.writer.processes.append(["PROCESS Lone(k : Knot);", "BEGIN", "  k?tie", "END Lone;"])
            made.append("CREATE Lone(k0)")
        else:
            first = ["PROCESS Left(k, other : Knot);", "BEGIN", "  k!tie;", "  other?tie", "END Left;"]
            second = ["PROCESS Right(k, other : Knot);", "BEGIN", "  other!tie;", "  k?tie", "END Right;"]
            self.writer.processes += [first, second]
            made += ["CREATE Left(k0, k1)", "CREATE Right(k0, k1)"]
        if self.writer.purpose == "partial-deadlock":
            self.writer.processes.append(["PROCESS Tick;", "BEGIN", "  LOOP RESCHEDULE END", "END Tick;"])
            made.append("CREATE Tick")
        return made

"""Random well-typed LF programs that end after few actions, as source text.

Generated = generate(seed, size=3)          a share of the programs faults or deadlocks on purpose (`purpose`)
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from tests.generate.general.expressions import Expressions, Options, Var
from tests.generate.general.statements import Body, Formal, Lines, Signature, Statements, join
from tests.generate.general.traffic import Traffic
from tests.generate.general.types import CHAR, INT8, INT16, INT32, SETS, UINT8, UINT32, Ty, declare_types

PURPOSES = ["calm"] * 6 + ["fault", "assertion", "deadlock", "partial-deadlock"]


@dataclass(frozen=True, slots=True)
class Profile:
    """What kind of programs to make."""

    size: int = 3  # about how many statements, variables and processes
    small: bool = False  # few values and short bodies, for state spaces that can be enumerated
    inputs: bool = True
    interrupts: bool | None = None  # None: in some programs
    time: bool = True
    properties: bool = False
    late: bool = False  # other statements stand before and between the NEWs of the initialisation, which may lack some
    purpose: str | None = None  # None: drawn from PURPOSES


@dataclass(frozen=True, slots=True)
class Generated:
    seed: int
    purpose: str  # calm, or what it is meant to run into
    text: str


def generate(seed: int, profile: Profile | None = None) -> Generated:
    rng = random.Random(seed)
    profile = profile or Profile()
    purpose = profile.purpose or rng.choice(PURPOSES)
    interrupts = rng.random() < 0.2 if profile.interrupts is None else profile.interrupts
    writer = Writer(rng, replace(profile, interrupts=interrupts), purpose)
    return Generated(seed, purpose, "\n".join(writer.module()) + "\n")


class Writer:
    def __init__(self, rng: random.Random, profile: Profile, purpose: str) -> None:
        self.rng = rng
        self.profile = profile
        self.purpose = purpose
        self.size = profile.size
        self.types = declare_types(rng, profile.size, profile.small)
        self.constants = {f"K{i}": rng.randint(0, 9) for i in range(rng.randint(0, 3))}
        options = Options(profile.small, profile.inputs, 0.15 if purpose == "fault" else 0.0)
        self.e = Expressions(rng, options, self.types.all, self.constants)
        self.s = Statements(rng, self.e, bool(profile.interrupts), profile.time, purpose == "assertion")
        self.channels = self.types.of_kind("channel")
        self.globals: list[Var] = []
        self.declarations: Lines = []  # VAR and PORT sections of the module
        self.new_ports: list[str] = []
        self.processes: list[Lines] = []
        self.functions: list[Signature] = []  # what later processes may call
        self.created: list[Signature] = []

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    # --- the module --------------------------------------------------------------------------------------------

    def module(self) -> Lines:
        self.module_variables()
        self.module_ports()
        for _ in range(self.rng.randint(0, self.size)):
            self.called_process()
        roots = [self.created_process() for _ in range(self.rng.randint(1, max(1, self.size)))]
        traffic = Traffic(self)
        servers = traffic.servers() if self.chance(0.85) else []
        for _ in range(self.rng.randint(0 if self.profile.small else 1, 1 + self.size // 3)):
            servers += traffic.conversation()
        stuck = traffic.stuck_processes() if "deadlock" in self.purpose else []
        self.rng.shuffle(self.processes)
        body = self.initialisation(roots, servers, stuck)
        constants = [f"  {n} = {v if self.chance(0.7) else f'0{v:X}H'};" for n, v in self.constants.items()]
        lines = ["CONST", *constants] if constants else []
        lines += ["TYPE", *("  " + t for t in self.types.lines)]
        lines += self.declarations
        lines += self.properties() if self.profile.properties else []
        for process in self.processes:
            lines += ["", *process]
        if self.chance(0.2):
            lines += ["PROCESS Nothing();", "END Nothing;"]
            body += [";", "  Nothing()"] if body else ["  Nothing()"]
        lines += ["", "BEGIN", *body]
        return ["MODULE Generated;", *self.imports(lines), *lines, "END Generated."]

    def imports(self, lines: Lines) -> Lines:
        """What the lines name; Out under another name in some programs."""
        used = [m for m in ("Clock", "In", "Out", "SYSTEM") if any(m + "." in line for line in lines)]
        if "Out" in used and self.chance(0.1):
            used[used.index("Out")] = "Show := Out"
            lines[:] = [line.replace("Out.", "Show.") for line in lines]
        return [f"IMPORT {', '.join(used)};"] if used else []

    def module_variables(self) -> None:
        lines = ["VAR"]
        for number in range(self.rng.randint(2, 3 + self.size)):
            t = self.rng.choice([t for t in self.types.all if t.kind != "channel"])
            self.globals.append(Var(f"g{number}", t, module=True))
            lines.append(f"  g{number}{'*' if self.chance(0.1) else ''} : {t.name};")
        if self.chance(0.5):
            lines.append("  ga, gb : ARRAY 2, 3 OF UINT8;")
            row = Ty("array", "?", length=3, element=UINT8)
            self.globals += [Var(n, Ty("array", "?", length=2, element=row), module=True) for n in ("ga", "gb")]
        if self.chance(0.3):
            lines.append("  gr : RECORD a : INT8; b, c : (one, two); d : 3 .. 5 END;")
            both = Ty("enum", "?", 0, 1, values=["one", "two"])
            fields = [("a", INT8), ("b", both), ("c", both), ("d", Ty("subrange", "?", 3, 5, (3, 5), base=INT32))]
            anonymous = Ty("record", "?", fields=[f for f in fields if f[0] in ("a", "d")])
            self.globals.append(Var("gr", anonymous, module=True))
        if self.profile.inputs and self.chance(0.3):
            for name, t, address in (("ra", SETS[0], "25H"), ("rb", UINT8, "26H"), ("rc", INT16, "28H")):
                lines.append(f"  {name} AT {address} : {t.name};")
                self.globals.append(Var(name, t, keeps=(t.low, t.high), register=True))
        self.declarations += lines

    def module_ports(self) -> None:
        lines = ["PORT"]
        for number, channel in enumerate(self.channels * 2):
            name = f"p{number}"
            bound = f" MAX {self.rng.randint(4, 9)}" if self.chance(0.3) else ""
            if self.chance(0.25):
                lines.append(f"  {name} : ARRAY 2 OF {channel.name}{bound};")
                t = Ty("array", "?", length=2, element=channel)
                self.new_ports += [f"{name}[0]", f"{name}[1]"]
            else:
                lines.append(f"  {name} : {channel.name}{bound};")
                t = channel
                self.new_ports.append(name)
            self.globals.append(Var(name, t, module=True))
        self.declarations += lines

    def properties(self) -> Lines:
        number = next((v for v in self.globals if v.ty.kind == "int" and not v.register), None)
        name, high = (number.name, number.ty.keeps[1]) if number else ("SIZE(INTEGER)", 4)
        return [
            f"PROPERTY bounded = ALWAYS ({name} <= {high});",
            f"PROPERTY comes = EVENTUALLY ([] ({name} = 0)) IMPLIES NEXT <> ({name} # 0) UNTIL TRUE;",
            f"PROPERTY holds = ({name} = 0) WEAKUNTIL TRUE IFF FALSE RELEASE ({name} <= {high});",
            "PROPERTY never;",
            "VAR k : INTEGER;",
            "BEGIN",
            f"  LOOP IF {name} > {high} THEN ACCEPT END; CHOICE k := 0 | NOMOVE END; RESCHEDULE END",
            "END never;",
        ]

    # --- processes ---------------------------------------------------------------------------------------------

    def formals(self, created: bool, suffix: str = "") -> list[Formal]:
        found = []
        for number in range(self.rng.randint(0, 3)):
            name = f"a{number}{suffix}"
            kind = self.rng.random()
            if kind < 0.15:
                arrays = [t for t in self.types.of_kind("array") if t.element is not None]
                strings = [CHAR] if not self.profile.small else []
                elements = [t.element for t in arrays if t.element is not None] + strings
                if elements:
                    by_reference = self.chance(0.4)
                    found.append(Formal(name, UINT8, by_reference, self.rng.choice(elements)))
                    continue
            t = self.rng.choice(self.types.all)
            if t.kind == "channel" or self.chance(0.3):
                t = self.rng.choice(self.channels)
            module_has_it = any(t is v.ty for v in self.globals if not v.register)
            found.append(Formal(name, t, self.chance(0.35) and (not created or module_has_it)))
        return found

    def write(self, signature: Signature, attributes: str, waits: bool, statements: int, nested: bool = True) -> None:
        """The text of a process whose body is random."""
        self.processes.append(self.process(signature, attributes, waits, statements, nested))

    def process(
        self, signature: Signature, attributes: str, waits: bool, statements: int, nested: bool, outer: bool = False
    ) -> Lines:
        scope_before = list(self.e.scope)
        self.e.scope = list(self.e.scope if outer else self.globals)
        inner_scope = [
            Var(f.name, f.ty, f.open_element is None or f.by_reference, open_element=f.open_element)
            for f in signature.formals
        ]
        if signature.counter:
            inner_scope[0].writable = False
            inner_scope[0].keeps = (-1, 4)
        suffix = "" if not outer else "q"
        variables: Lines = []
        for number in range(self.rng.randint(1, 3)):
            t = self.rng.choice([t for t in self.types.all if t.kind != "channel"])
            inner_scope.append(Var(f"v{number}{suffix}", t))
            variables.append(f"  v{number}{suffix} : {t.name};")
        if not self.profile.small and self.chance(0.08):
            big = Ty("array", "?", length=self.rng.randint(60, 90), element=INT32)
            inner_scope.append(Var(f"big{suffix}", big))
            variables.append(f"  big{suffix} : ARRAY {big.length} OF INTEGER;")
        ports: Lines = []
        body = Body(waits, self.functions.copy(), [] if nested is False and outer else self.created.copy(), signature)
        start: list[Lines] = []
        if self.chance(0.2):
            channel = self.rng.choice(self.channels)
            name = f"w{suffix}"
            ports = ["PORT", f"  {name} : {channel.name} MAX {self.rng.randint(3, 5)};"]
            inner_scope.append(Var(name, channel))
            start.append([f"NEW({name})"])
        self.e.scope += inner_scope
        inside: Lines = []
        if nested and self.chance(0.3):
            called = Signature(f"{signature.name}Inner", self.formals(False, "q"), waits and self.chance(0.5))
            rest = self.process(called, "", called.waits, 2, nested=False, outer=True)
            inside = ["", *("  " + line for line in rest)]
            body.callable.append(called)
        if nested and waits and self.chance(0.15):
            kid, creation = self.kid(signature)
            inside += ["", *("  " + line for line in kid)]
            start.append([creation])
        written = start + [self.s.statement(body, 2) for _ in range(statements)]
        if signature.counter:
            written.append(self.again(body, signature))
            written += self.s.sequence(body, 1, 2)
        variables += [f"  {name} : {t};" for name, t in body.declared]
        formals = f"({'; '.join(f.text() for f in signature.formals)})" if signature.formals else ""
        star = "*" if self.chance(0.1) and not outer else ""
        lines = [f"PROCESS {signature.name}{star}{formals}{attributes};", "VAR", *variables, *ports, *inside]
        self.e.scope = scope_before
        return [*lines, "BEGIN", *join(written), f"END {signature.name};"]

    def kid(self, outer: Signature) -> tuple[Lines, str]:
        """A nested process that is created: it uses nothing of the process around it."""
        name = f"{outer.name}Kid"
        scope_before = self.e.scope
        self.e.scope = [*self.globals, Var("k", INT32)]
        body = Body(True, [], [], None)
        written = self.s.sequence(body, 1, 3)
        self.e.scope = scope_before
        counters = [f"  {n} : {t};" for n, t in body.declared]
        lines = [f"PROCESS {name}(k : INTEGER) MAX {self.rng.randint(9, 16)};", "VAR", *counters]
        return [*lines, "BEGIN", *join(written), f"END {name};"], f"CREATE {name}({self.rng.randint(0, 9)})"

    def again(self, body: Body, signature: Signature) -> Lines:
        """A process calls itself, one less deep."""
        try:
            call = f"{signature.name}{self.s.arguments(body, signature, created=False)}"
        except LookupError:
            return ["RESCHEDULE"] if signature.waits else []
        return [f"IF {signature.formals[0].name} > 0 THEN {call} END"]

    def called_process(self) -> None:
        waits = self.chance(0.5)
        signature = Signature(self.s.fresh("Call"), self.formals(created=False), waits)
        attributes = ""
        if self.chance(0.3):
            signature.counter = True
            counter = self.rng.choice([INT32, INT8, INT16])
            signature.formals.insert(0, Formal("depth", counter))
            for f in signature.formals:
                f.open_element = None if f.by_reference else f.open_element
            most = self.rng.randint(1, 2) if self.purpose == "fault" else self.rng.randint(3, 5)
            attributes = f" MAX {most}"
        also_created = not signature.counter and self.chance(0.15)
        if also_created:
            attributes = f" MAX {self.rng.randint(9, 14)}"
        self.write(signature, attributes, waits, self.rng.randint(1, 1 + self.size))
        self.functions.append(signature)
        if also_created:
            self.created.append(signature)

    def created_process(self) -> Signature:
        signature = Signature(self.s.fresh("Run"), self.formals(created=True), waits=True)
        bounds = [1, 2] if self.purpose == "fault" else [12, 16]
        attributes = f" MAX {self.rng.choice(bounds)}"
        if self.chance(0.15):
            attributes += " SERVER"
        self.write(signature, attributes, True, self.rng.randint(1, 2 + self.size))
        self.created.append(signature)
        if self.chance(0.15):
            self.functions.append(signature)
        return signature

    def initialisation(self, roots: list[Signature], servers: list[str], stuck: list[str]) -> Lines:
        self.e.scope = list(self.globals)
        waits = self.chance(0.2)
        body = Body(waits, self.functions.copy(), [], None, is_module=True)
        statements: list[Lines] = []
        for port in self.new_ports:
            if self.purpose == "fault" and self.chance(0.3):
                continue
            statements.append([f"NEW({port})"])
        news = statements.copy()
        statements += [[s] for s in servers]
        for _ in range(self.rng.randint(0, 2)):
            statements.append(self.s.statement(body, 2))
        for signature in roots:
            for _ in range(self.rng.choice([1, 1, 2])):
                try:
                    created = f"CREATE {signature.name}{self.s.arguments(body, signature, created=True)}"
                except LookupError:
                    continue
                if self.chance(0.2):
                    n = self.s.counter(body)
                    statements.append([f"FOR {n} := 1 TO 2 DO {created} END"])
                else:
                    statements.append([created + (f" DEADLINE {self.rng.randint(1, 99)}" if self.chance(0.2) else "")])
        statements += [[s] for s in stuck]
        for _ in range(self.rng.randint(0, 2)):
            statements.append(self.s.statement(body, 1))
        if self.profile.late:
            statements = self.with_late(news, statements[len(news) :], body)
        if body.declared:
            self.declarations += ["VAR", *(f"  {name} : {t};" for name, t in body.declared)]
        return join(statements)

    def with_late(self, news: list[Lines], others: list[Lines], body: Body) -> list[Lines]:
        """Each NEW somewhere among the others, in its order or not; those of an array in a loop now and then."""
        found = others
        if self.chance(0.3):
            self.rng.shuffle(news)
        for _ in range(self.rng.randint(1, 2)):
            calm = Body(False, self.functions.copy(), [], None, is_module=True)
            found = [self.s.statement(calm, 1), *found]
            body.declared += calm.declared
        at = 0
        for new in news:
            at = self.rng.randint(at, min(len(found), at + 2))
            if new[0].endswith("[1])"):
                continue
            found.insert(at, self.of_both(new[0], body) if new[0].endswith("[0])") else new)
            at += 1
        return found

    def of_both(self, new: str, body: Body) -> Lines:
        """Makes both elements of an array."""
        if self.chance(0.4):
            return [f"{new}; {new.replace('[0]', '[1]')}"]
        n = self.s.counter(body)
        low, high, by = self.rng.choice([(0, 1, ""), (1, 2, ""), (1, 0, " BY -1"), (0, 2, " BY 2"), (0, 2, "")])
        index = {(0, 1): n, (1, 0): n, (1, 2): f"{n} - 1"}.get((low, high))
        if index is None:
            index = f"{n} DIV 2" if by else n  # the last one: a fault
        return [f"FOR {n} := {low} TO {high}{by} DO {new.replace('[0]', f'[{index}]')} END"]


__all__ = ["UINT32", "Generated", "Profile", "generate"]

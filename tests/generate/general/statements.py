"""Random statements of generated programs: they end after few rounds, and name only what is in scope.

A statement is a list of lines without a closing semicolon.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.generate.general.events import Events
from tests.generate.general.expressions import Expressions, Var, paren
from tests.generate.general.types import BOOLEAN, CHAR, INT8, INT16, INT32, UINT8, UINT16, Ty

Lines = list[str]
MOST_ROUNDS = 40  # of all loops around a statement together


@dataclass(slots=True)
class Formal:
    name: str
    ty: Ty
    by_reference: bool = False
    open_element: Ty | None = None

    def text(self) -> str:
        kind = f"ARRAY OF {self.open_element.name}" if self.open_element else self.ty.name
        return f"{'VAR ' if self.by_reference else ''}{self.name} : {kind}"


@dataclass(slots=True)
class Signature:
    """A process as its callers see it. `counter`: its first formal says how deep it may still call itself."""

    name: str
    formals: list[Formal] = field(default_factory=list)
    waits: bool = False
    counter: bool = False


@dataclass(slots=True)
class Body:
    """What is being written: the statements of one process or of the initialisation."""

    waits: bool  # may hold scheduling points
    callable: list[Signature]
    creatable: list[Signature]
    own: Signature | None = None
    rounds: int = 1  # of the loops around, together
    loops: int = 0  # LOOPs around, since the last other construct that EXIT must not leave
    declared: list[tuple[str, str]] = field(default_factory=list)  # counters and FOR variables, with their types
    creations: int = 0
    is_module: bool = False


def join(statements: list[Lines], indent: str = "  ") -> Lines:
    """A sequence: semicolons between, indented."""
    lines: Lines = []
    for number, statement in enumerate(statements):
        lines += [indent + line for line in statement]
        if number < len(statements) - 1 and lines:
            lines[-1] += ";"
    return lines


class Statements:
    def __init__(self, rng: random.Random, e: Expressions, interrupts: bool, time: bool, asserts: bool) -> None:
        self.rng = rng
        self.e = e
        self.interrupts = interrupts
        self.time = time
        self.asserts = asserts  # random assertions, some of which fail
        self.events = Events(rng, e)
        self.names = 0

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def sequence(self, body: Body, depth: int, most: int = 4) -> list[Lines]:
        return [self.statement(body, depth) for _ in range(self.rng.randint(1, most))]

    def statement(self, body: Body, depth: int) -> Lines:
        simple: list[tuple[int, Callable[[Body, int], Lines | None]]] = [
            (10, self.assign),
            (2, self.assign_whole),
            (3, self.step),
            (2, self.include),
            (3, self.call),
            (2, self.create),
            (5 if self.asserts else 1, self.assertion),
            (1, self.output),
            (1, self.device),
            (1, self.port_assignment),
            (1, self.leave),
            (1, lambda b, d: []),
        ]
        if body.waits:
            simple += [(6, self.communicate), (3, self.reschedule), (1, self.wait_for_input)]
        nested: list[tuple[int, Callable[[Body, int], Lines | None]]] = [
            (5, self.condition),
            (2, self.case),
            (2, self.while_loop),
            (1, self.repeat),
            (4, self.for_loop),
            (2, self.endless),
        ]
        if body.waits:
            nested += [(4, self.select), (2, self.choice)]
        kinds = simple + (nested if depth > 0 else [])
        for _ in range(20):
            weights = [weight for weight, _ in kinds]
            make = self.rng.choices([make for _, make in kinds], weights)[0]
            try:
                made = make(body, depth)
            except LookupError:
                continue
            if made is not None:
                return made
        return []

    # --- simple statements -------------------------------------------------------------------------------------

    def assign(self, body: Body, depth: int) -> Lines | None:
        found = self.e.designator(lambda t: t.scalar, 1, writable=True)
        return found and [f"{found[0]} := {self.e.value(found[1], 3)}"]

    def assign_whole(self, body: Body, depth: int) -> Lines | None:
        found = self.e.designator(lambda t: t.kind in ("array", "record"), 1, writable=True)
        return found and [f"{found[0]} := {self.e.value(found[1], 1)}"]

    def step(self, body: Body, depth: int) -> Lines | None:
        """INC and DEC under a condition that keeps the value where it belongs."""
        found = self.e.designator(lambda t: t.kind in ("int", "enum", "subrange"), 0, writable=True)
        if found is None:
            return None
        text, t, (low, high) = found
        if t.kind == "enum":
            low, high = 0, t.high
        elif t.kind == "subrange":
            low, high = t.low, t.high
        up = self.e.chance(0.5)
        amount = self.rng.choice(["", "", ", 1", ", 2"])
        by = 2 if amount == ", 2" else 1
        change = f"{'INC' if up else 'DEC'}({text}{amount})"
        if self.e.careless():
            return [change]
        if t.kind == "int" and self.e.chance(0.3):
            amount = self.e.as_integer(self.e.reduced(self.e.number(1), 0, by), t)
            change = f"{'INC' if up else 'DEC'}({text}, {amount})"
        bound = high - by if up else low + by
        if t.kind == "int":
            shown = str(bound)
        elif t.base is INT32:
            shown = str(bound)
        elif t.base is CHAR:
            shown = f"'{chr(max(0, bound))}'" if 97 <= bound <= 122 else ""
        else:
            values = (t.base or t).values
            shown = values[bound] if 0 <= bound < len(values) else ""
        if not shown or (t.low >= 0 and bound < 0):
            return None
        return [f"IF {text} {'<=' if up else '>='} {shown} THEN {change} END"]

    def include(self, body: Body, depth: int) -> Lines | None:
        found = self.e.designator(lambda t: t.kind == "set", 1, writable=True)
        if found is None:
            return None
        n = self.e.number(1)
        element = n.text if self.e.careless() and not n.literal else self.e.reduced(n, 0, found[1].bits - 1).text
        return [f"{self.rng.choice(['INCL', 'EXCL'])}({found[0]}, {element})"]

    def arguments(self, body: Body, called: Signature, created: bool) -> str:
        given = []
        for number, f in enumerate(called.formals):
            if number == 0 and called.counter:
                own = body.own is called and not created
                given.append(f"{f.name} - 1" if own else str(self.rng.randint(0, 2)))
            elif f.open_element is not None:
                given.append(self.open_argument(f, created))
            elif f.by_reference:
                found = self.e.designator(lambda t, f=f: t is f.ty, 1, writable=True, module=created)  # type: ignore[misc]
                if found is None:
                    raise LookupError(f.name)
                given.append(found[0])
            else:
                given.append(self.e.value(f.ty, 2))
        return f"({', '.join(given)})" if given or self.e.chance(0.3) else ""

    def open_argument(self, f: Formal, created: bool) -> str:
        element = f.open_element
        if element is CHAR and not f.by_reference and self.e.chance(0.5):
            return self.rng.choice(['"abc"', '"x"', '"LF runs"'])
        mine = [v.name for v in self.e.scope if v.open_element is element and (v.writable or not f.by_reference)]
        found = self.e.designator(
            lambda t: t.kind == "array" and t.element is element, 1, writable=f.by_reference, module=created
        )
        if mine and not created and (found is None or self.e.chance(0.5)):
            return self.rng.choice(mine)
        if found is None:
            raise LookupError(f.name)
        return found[0]

    def call(self, body: Body, depth: int) -> Lines | None:
        fitting = [s for s in body.callable if body.waits or not s.waits]
        if not fitting or body.rounds > 6:
            return None
        called = self.rng.choice(fitting)
        return [f"{called.name}{self.arguments(body, called, created=False)}"]

    def create(self, body: Body, depth: int) -> Lines | None:
        if not body.creatable or body.rounds > 3 or body.creations >= 3:
            return None
        created = self.rng.choice(body.creatable)
        deadline = f" DEADLINE {self.rng.choice([5, 10, 100])}" if self.e.chance(0.15) else ""
        made = [f"CREATE {created.name}{self.arguments(body, created, created=True)}{deadline}"]
        body.creations += body.rounds
        return made

    def assertion(self, body: Body, depth: int) -> Lines | None:
        if self.asserts or (self.e.options.careless and self.e.chance(0.2)):
            return [f"ASSERT({self.e.boolean(2)})"]
        found = self.e.designator(lambda t: t.kind in ("int", "subrange") and t.base in (None, INT32), 0)
        if found is None:
            return ["ASSERT(TRUE)"]
        text, t, (low, high) = found
        return [f"ASSERT(({text} >= {low}) & ({text} <= {high}))"] if low >= 0 else [f"ASSERT({text} <= {high})"]

    def output(self, body: Body, depth: int) -> Lines | None:
        kind = self.rng.randrange(6)
        if kind == 0:
            return ["Out.Ln"]
        if kind == 1:
            return ["Out.String(" + self.rng.choice(['"hi"', '" "', '"x"']) + ")"]
        if kind == 2:
            return [f"Out.Char({self.e.character(1)})"]
        if kind == 3:
            return [f"SYSTEM.WRITE({self.e.character(1)})"]
        n = self.e.reduced(self.e.number(1), -1000, 1000)
        return [f"Out.Int({self.e.as_integer(n, INT32)})"]

    def device(self, body: Body, depth: int) -> Lines | None:
        if not self.e.options.inputs:
            return None
        registers = [v for v in self.e.scope if v.register]
        if registers and self.e.chance(0.6):
            v = self.rng.choice(registers)
            if v.ty.kind == "set" and self.e.chance(0.5):
                return [f"{self.rng.choice(['INCL', 'EXCL'])}({v.name}, {self.rng.randrange(8)})"]
            return [f"{v.name} := {self.e.value(v.ty, 2)}"]
        width, t = self.rng.choice([("", UINT8), ("16", UINT16)])
        return [f"PORTOUT{width}(40H, {self.e.as_integer(self.e.number(1), t)})"]

    def port_assignment(self, body: Body, depth: int) -> Lines | None:
        found = self.e.designator(lambda t: t.kind == "channel", 1, writable=True)
        if found is None:
            return None
        if self.e.chance(0.3):
            return [f"NEW({found[0]})"]
        return [f"{found[0]} := {self.e.value(found[1], 1)}"]

    def leave(self, body: Body, depth: int) -> Lines | None:
        if body.loops and self.e.chance(0.6):
            return [f"IF {self.e.boolean(1)} THEN EXIT END"]
        return [f"IF {self.e.boolean(2)} THEN RETURN END"] if self.e.chance(0.4) else None

    # --- scheduling points -------------------------------------------------------------------------------------

    def reschedule(self, body: Body, depth: int) -> Lines | None:
        return ["RESCHEDULE"]

    def wait_for_input(self, body: Body, depth: int) -> Lines | None:
        kinds = (["time"] if self.time else []) + (["interrupt"] if self.interrupts else [])
        if self.e.options.inputs and not self.e.options.small:
            kinds.append("console")
        if not kinds:
            return None
        match self.rng.choice(kinds):
            case "time":
                return [f"Clock.Sleep({self.e.reduced(self.e.number(1), 0, 50).text})"]
            case "interrupt":
                return [f"SYSTEM.INT[{self.rng.randint(1, 2)}]?INTERRUPT"]
        found = self.e.designator(lambda t: t is INT32, 1, writable=True) if self.e.options.careless else None
        if found is not None:
            return [f"In.Int({found[0]})"]
        found = self.e.designator(lambda t: t is CHAR, 1, writable=True)
        return found and [f"{self.rng.choice(['SYSTEM.READ', 'In.Char'])}({found[0]})"]

    def communicate(self, body: Body, depth: int) -> Lines | None:
        return [self.events.send() if self.e.chance(0.5) else self.events.receive()]

    def select(self, body: Body, depth: int) -> Lines | None:
        lines = ["SELECT"]
        otherwise = self.e.chance(0.35)
        interrupts = [1, 2] if self.interrupts else []
        most = 18 if not self.e.options.small and self.e.chance(0.03) else 3
        for _ in range(self.rng.randint(9 if most > 3 else 1, most)):
            kind = self.rng.choice(["send", "receive", "receive", "time", "interrupt"])
            if kind == "time" and self.time and not otherwise:
                event = f"Clock.After({self.rng.randint(0, 20)})"
            elif kind == "interrupt" and interrupts:
                event = f"SYSTEM.INT[{interrupts.pop()}]?INTERRUPT"
            else:
                event = self.events.send() if kind == "send" else self.events.receive()
            guard = self.events.guard() if self.e.chance(0.45) else ""
            inner = self.sequence(body, depth - 1, 2) if self.e.chance(0.8 if most == 3 else 0.2) else []
            lines += [f"WHEN {event}{guard} THEN", *join(inner)]
        if otherwise:
            lines += ["ELSE", *join(self.sequence(body, depth - 1, 2))]
        return [*lines, "END"]

    def choice(self, body: Body, depth: int) -> Lines | None:
        lines = ["CHOICE", *join(self.sequence(body, depth - 1, 2))]
        for _ in range(self.rng.randint(0, 2)):
            lines += [self.rng.choice(["OR", "|"]), *join(self.sequence(body, depth - 1, 2))]
        return [*lines, "END"]

    # --- structured statements ---------------------------------------------------------------------------------

    def condition(self, body: Body, depth: int) -> Lines | None:
        lines = [f"IF {self.e.boolean(3)} THEN", *join(self.sequence(body, depth - 1, 3))]
        for _ in range(self.rng.choice([0, 0, 1])):
            lines += [f"ELSIF {self.e.boolean(2)} THEN", *join(self.sequence(body, depth - 1, 2))]
        if self.e.chance(0.5):
            lines += ["ELSE", *join(self.sequence(body, depth - 1, 2))]
        return [*lines, "END"]

    def case(self, body: Body, depth: int) -> Lines | None:
        if self.e.chance(0.35):
            t = self.rng.choice([t for t in self.e.types if t.kind == "enum"])
            selector, labels = self.e.enumerated(t, 2), list(t.values)
        elif self.e.chance(0.3):
            selector, labels = self.e.character(2), ["0X", "'a' .. 'f'", "'z'", "41X .. 'Z'"]
        else:
            n = self.e.reduced(self.e.number(2), 0, 6)
            selector, labels = n.text, ["0", "1 .. 2", "3", "5", "6"]
            if n.literal:
                return None
        self.rng.shuffle(labels)
        count = self.rng.randint(1, len(labels))
        lines = [f"CASE {selector} OF"]
        taken, rest = labels[:count], labels[count:]
        while taken:
            group = [taken.pop() for _ in range(min(len(taken), self.rng.choice([1, 1, 2])))]
            inner = join(self.sequence(body, depth - 1, 2))
            bar = "" if len(lines) == 1 else "| | " if self.e.chance(0.1) else "| "
            lines += [f"{bar}{', '.join(group)}:", *inner]
        if rest or selector.startswith(("CHR", "CHAR", "'")) or not self.e.careless():
            lines += ["ELSE", *join(self.sequence(body, depth - 1, 1))]
        return [*lines, "END"]

    def counter(self, body: Body) -> str:
        name = self.fresh("n")
        body.declared.append((name, "INTEGER"))
        return name

    def inside(self, body: Body, rounds: int, depth: int, most: int, is_loop: bool = False) -> list[Lines] | None:
        """The statements in a loop of so many rounds; None where there are loops enough around."""
        if body.rounds * rounds > MOST_ROUNDS:
            return None
        rounds_before, loops_before = body.rounds, body.loops
        body.rounds *= max(rounds, 1)
        body.loops += int(is_loop)
        try:
            return self.sequence(body, depth - 1, most)
        finally:
            body.rounds, body.loops = rounds_before, loops_before

    def while_loop(self, body: Body, depth: int) -> Lines | None:
        rounds = self.rng.randint(1, 3)
        inner = self.inside(body, rounds, depth, 2)
        if inner is None:
            return None
        n = self.counter(body)
        condition = f"({n} < {rounds}) & ({self.e.boolean(1)})" if self.e.chance(0.5) else f"{n} < {rounds}"
        return [f"{n} := 0;", f"WHILE {condition} DO", *join([[f"INC({n})"], *inner]), "END"]

    def repeat(self, body: Body, depth: int) -> Lines | None:
        rounds = self.rng.randint(1, 3)
        inner = self.inside(body, rounds, depth, 2)
        if inner is None:
            return None
        n = self.counter(body)
        until = f"({n} >= {rounds}) OR ({self.e.boolean(1)})" if self.e.chance(0.5) else f"{n} >= {rounds}"
        return [f"{n} := 0;", "REPEAT", *join([[f"INC({n})"], *inner]), f"UNTIL {until}"]

    def endless(self, body: Body, depth: int) -> Lines | None:
        rounds = self.rng.randint(1, 3)
        inner = self.inside(body, rounds, depth, 2, is_loop=True)
        if inner is None:
            return None
        n = self.counter(body)
        leave = [f"IF {n} >= {rounds} THEN EXIT END"]
        return [f"{n} := 0;", "LOOP", *join([leave, [f"INC({n})"], *inner]), "END"]

    def for_loop(self, body: Body, depth: int) -> Lines | None:
        kinds = [INT8, UINT8, INT16, INT32, INT32] + [
            t for t in self.e.types if t.kind == "subrange" and t.base is INT32 and t.low >= 0
        ]
        t = self.rng.choice(kinds)
        by = self.rng.choice([1, 1, 1, 2, -1, -2])
        low, high = (t.low, t.high) if t.kind == "subrange" else (0, 3)
        if t in (INT8, UINT8) and self.e.chance(0.15):
            low, high = t.high - 3, t.high  # the last step would leave the type
        first, last = self.rng.randint(low, high), self.rng.randint(low, high)
        if by < 0:
            first, last = max(first, last), min(first, last)
        rounds = max(0, (last - first) // by + 1)
        limit = str(last)
        start = str(first)
        if self.e.chance(0.4) and by > 0:
            n = self.e.reduced(self.e.number(2), low, high)
            if not n.literal:
                rounds = high - first + 1
                limit = self.e.as_integer(n, t if t.kind == "int" else INT32)
        elif self.e.chance(0.2):
            m = self.e.reduced(self.e.number(1), first, first)
            start = paren(m) if m.literal and not m.text.startswith("-") else start
        name = self.fresh("i")
        var = Var(name, t, writable=False, keeps=(max(t.low, min(low, 0) - 2), min(t.high, high + 2)))
        self.e.scope.append(var)
        inner = self.inside(body, max(rounds, 1), depth, 3)
        if inner is None:
            self.e.scope.remove(var)
            return None
        body.declared.append((name, t.name))
        step = f" BY {by}" if by != 1 or self.e.chance(0.1) else ""
        return [f"FOR {name} := {start} TO {limit}{step} DO", *join(inner), "END"]


__all__ = ["BOOLEAN", "Body", "Formal", "Lines", "Signature", "Statements", "join"]

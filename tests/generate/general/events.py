"""Random communications of generated programs: what is sent, where it goes, under which guard."""

from __future__ import annotations

import random

from tests.generate.general.expressions import Expressions
from tests.generate.general.types import CHAR, INT32, Ty


class Events:
    def __init__(self, rng: random.Random, e: Expressions) -> None:
        self.rng = rng
        self.e = e

    def port(self) -> tuple[str, Ty]:
        found = self.e.designator(lambda t: t.kind == "channel", 1)
        if found is None:
            raise LookupError("no port")
        return found[0], found[1]

    def send(self) -> str:
        port, channel = self.port()
        name, types = self.rng.choice(channel.messages)
        values = ", ".join(self.e.value(t, 2) for t in types)
        return f"{port}!{name}({values})" if types else f"{port}!{name}"

    def receive(self) -> str:
        port, channel = self.port()
        name, types = self.rng.choice(channel.messages)
        targets = ", ".join(self.target(t) for t in types)
        return f"{port}?{name}({targets})" if types else f"{port}?{name}"

    def target(self, t: Ty) -> str:
        """A variable that takes the value as by `:=`, or a constant that it must equal."""
        if t.scalar and t.kind != "set" and self.e.chance(0.12):
            return self.constant(t)

        def takes(other: Ty) -> bool:
            if other is t:
                return True
            if t.kind == "int" and other.kind == "int":
                return other.low <= t.low and t.high <= other.high
            if t.kind == "subrange" and t.base is other:
                return True
            if self.e.careless() and other.kind == "subrange" and other.base is INT32:
                return t.kind == "int"
            return False

        found = self.e.designator(takes, 1, writable=True)
        if found is None:
            raise LookupError(t.name)
        return found[0]

    def constant(self, t: Ty) -> str:
        if t.kind == "bool":
            return self.rng.choice(["TRUE", "FALSE"])
        if t.kind == "char" or t.base is CHAR:
            return self.rng.choice(["'a'", "'b'"])
        if t.kind == "enum" or (t.base is not None and t.base is not INT32):
            return (t.base or t).values[self.rng.randint(t.low, t.high)]
        low, high = (t.low, t.high) if t.kind == "subrange" else (0, 2)
        return str(self.rng.randint(low, high))

    def guard(self) -> str:
        self.e.pure = True
        try:
            text = self.e.boolean(2)
        finally:
            self.e.pure = False
        return f" & ({text})"

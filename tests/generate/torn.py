"""Random networks whose shared variables are NONATOMIC: writes take two actions, and what overlaps them reads any
value."""

from __future__ import annotations

import random
import re

from tests.generate.networks import Network
from tests.generate.writer import Weights


class Torn(Network):
    def __init__(self, rng: random.Random, weights: Weights) -> None:
        super().__init__(rng, weights)
        self.guarding = False
        self.kinds, self.channels = 2, self.channels[:1]  # writes make states many
        self.ticks = self.ticks and self.chance(0.3)

    def text(self) -> str:
        names = ", ".join(self.shared)
        text = super().text()
        plain = f"VAR {names} : 0 .. 3; ga : ARRAY 3 OF 0 .. 3;"
        assert plain in text
        assigned = set(re.findall(r"(\w+)(?:\[[^]]*\])? := ", text))  # what nothing assigns is refused
        torn = [f"{name} NONATOMIC : 0 .. 3;" if name in assigned else f"{name} : 0 .. 3;" for name in self.shared]
        array = "ga NONATOMIC" if "ga" in assigned else "ga"
        return text.replace(plain, f"VAR {' '.join(torn)} {array} : ARRAY 3 OF 0 .. 3;")

    def communication(self) -> str:
        found = super().communication()
        for name in (*self.shared, "ga[me]"):
            found = found.replace(f"?m({name})", "?m(x)" if not self.properties else "?m(y)")
        return found

    def select(self) -> list[str]:
        self.guarding = True
        found = super().select()
        self.guarding = False
        return found

    def variable(self) -> str:
        """Guards read none of what is NONATOMIC."""
        return self.rng.choice(["y", "k"]) if self.guarding else super().variable()

    def atom(self) -> str:
        found = super().atom()
        return f"P0.y = {self.rng.randint(0, 2)}" if "g" in found else found

"""Black boxes within this process: a program that does, by chance, what its graph in the naive explorer allows."""

from __future__ import annotations

import re
from collections import deque
from random import Random

from lfc.mcheck.refinement.behaviour import Behaviour
from lfc.mcheck.refinement.visible import Labels, choose, ports_of
from lfc.online.alphabet import as_bytes, is_input, is_output
from lfc.online.specification import Specification
from tests.campaign.checking.refinement import CONVENTIONS, MOST, opened
from tests.generate.visible import pair
from tests.mcheck.refinement.reference import Graph, graph_of

ENDLESS = 300  # steps without an output that count as silence


class GraphBox:
    """What is written waits until the program takes it."""

    def __init__(self, graph: Graph, seed: int) -> None:
        self.random, self.state = Random(seed), 0
        self.edges = [sorted(edges, key=str) for edges in graph.edges]
        self.given: deque[bytes] = deque()
        self.outputs: list[str] = []

    def write(self, data: bytes) -> None:
        self.given.append(data)

    def read(self, seconds: float) -> bytes:
        steps = self.random.randint(0, 3) if seconds == 0 else ENDLESS
        said = b""
        for _ in range(steps):
            possible = [e for e in self.edges[self.state] if self.may(e[0])]
            if not possible:
                break
            label, self.state = self.random.choice(possible)
            if label is not None and is_input(label):
                self.given.popleft()
            elif label is not None:
                self.outputs.append(label)
                said += as_bytes(label)
                if seconds or self.random.random() < 0.5:
                    break
        return said

    def may(self, label: str | None) -> bool:
        if label is None or is_output(label):
            return True
        return bool(self.given) and as_bytes(label) == self.given[0]


def programs(seed: int) -> tuple[str, str] | None:
    """Of a pair of modules; their messages have different names on each port. None: they are not open."""
    texts = pair(seed)
    if not texts.is_open:
        return None
    return renamed(texts.first), renamed(texts.second)


def renamed(text: str) -> str:
    text = text.replace("PORT a*, b* : Ch;", "PORT a* : Ch; b* : Other;").replace(
        "[m(Bit), n];", "[m(Bit), n]; Other* = [p(Bit), q];"
    )
    assert "Other*" in text and "b* : Other" in text
    return re.sub(r"\bb([!?])([mn])\b", lambda m: f"b{m[1]}{'p' if m[2] == 'm' else 'q'}", text)


def specification(text: str) -> tuple[Specification, Graph]:
    machine, values = opened(text, True)
    labels = Labels(machine, choose(ports_of(machine), ["a", "b"], "it"))
    return Specification(Behaviour(machine, labels, 20_000, values)), graph_of(machine, ("a", "b"), MOST, CONVENTIONS)

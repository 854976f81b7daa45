"""A strict reader of the Hanoi Omega-Automata format, v1, of what we write.

Read is one automaton with explicit labels on transitions, one initial state and generalised Büchi acceptance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lfc.mcheck.ltl.bdd import ALL, NOTHING, Diagrams
from lfc.mcheck.ltl.tgba import Edge, Graph

_TOKEN = re.compile(r'\s+|([A-Za-z_][\w-]*:)|([A-Za-z_][\w-]*)|(0|[1-9]\d*)|("(?:[^"\\]|\\.)*")|(--BODY--|--END--)|(.)')


@dataclass(slots=True)
class Hoa:
    headers: dict[str, list[str]] = field(default_factory=dict)
    graph: Graph | None = None


class Refused(Exception):
    pass


def read_hoa(text: str, diagrams: Diagrams) -> Hoa:
    tokens = [m[0] for m in _TOKEN.finditer(text) if not m[0].isspace()]
    if tokens[:2] != ["HOA:", "v1"]:
        raise Refused("the first header is HOA: v1")
    hoa = Hoa()
    at = 0
    while tokens[at] != "--BODY--":
        name = tokens[at]
        if not name.endswith(":") or (name in hoa.headers and name not in ("Alias:", "Start:", "properties:")):
            raise Refused(f"header {name}")
        at += 1
        values = []
        while tokens[at] != "--BODY--" and not tokens[at].endswith(":"):
            values.append(tokens[at])
            at += 1
        hoa.headers[name] = values
    known = {"HOA:", "name:", "tool:", "States:", "Start:", "AP:", "acc-name:", "Acceptance:", "properties:"}
    if unknown := set(hoa.headers) - known:
        raise Refused(f"headers {unknown}")
    hoa.graph = _body(hoa, tokens[at + 1 :], diagrams)
    return hoa


def _body(hoa: Hoa, tokens: list[str], diagrams: Diagrams) -> Graph:
    (states,) = map(int, hoa.headers["States:"])
    (start,) = map(int, hoa.headers["Start:"])
    count, *quoted = hoa.headers["AP:"]
    atoms = [re.sub(r"\\(.)", r"\1", name[1:-1]) for name in quoted]
    if int(count) != len(atoms) or len(set(atoms)) != len(atoms):
        raise Refused("AP")
    sets, *condition = hoa.headers["Acceptance:"]
    wanted = "&".join(f"Inf({i})" for i in range(int(sets))) or "t"
    name = {0: ["all"], 1: ["Buchi"]}.get(int(sets), ["generalized-Buchi", sets])
    if "".join(condition) != wanted or hoa.headers["acc-name:"] != name:
        raise Refused("acceptance")
    reader = _Body(tokens, diagrams, len(atoms), int(sets), states, "state-acc" in hoa.headers["properties:"])
    return Graph(diagrams, atoms, start, reader.read(), int(sets))


@dataclass(slots=True)
class _Body:
    tokens: list[str]
    diagrams: Diagrams
    atoms: int
    sets: int
    states: int
    state_based: bool
    at: int = 0

    def take(self, wanted: str | None = None) -> str:
        if self.at >= len(self.tokens) or wanted not in (None, self.tokens[self.at]):
            raise Refused(f"{wanted} is missing")
        self.at += 1
        return self.tokens[self.at - 1]

    def next_is(self, text: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at] == text

    def number(self, below: int) -> int:
        value = int(self.take())
        if value >= below:
            raise Refused(f"{value} is not below {below}")
        return value

    def read(self) -> list[list[Edge]]:
        out: dict[int, list[Edge]] = {}
        while not self.next_is("--END--"):
            self.take("State:")
            state = self.number(self.states)
            if state in out:
                raise Refused(f"state {state} twice")
            out[state] = []
            marks_of_state = self.marks(self.state_based)
            while self.next_is("["):
                self.take()
                label = self.disjunction()
                self.take("]")
                target = self.number(self.states)
                out[state].append(Edge(label, marks_of_state | self.marks(not self.state_based), target))
        if self.tokens[self.at :] != ["--END--"] or set(out) != set(range(self.states)):
            raise Refused("the end")
        return [out[s] for s in range(self.states)]

    def marks(self, allowed: bool) -> int:
        if not self.next_is("{"):
            return 0
        if not allowed:
            raise Refused("marks on states and transitions")
        self.take()
        marks = 0
        while not self.next_is("}"):
            marks |= 1 << self.number(self.sets)
        self.take()
        return marks

    def disjunction(self) -> int:
        label = self.conjunction()
        while self.next_is("|"):
            self.take()
            label = self.diagrams.either(label, self.conjunction())
        return label

    def conjunction(self) -> int:
        label = self.literal()
        while self.next_is("&"):
            self.take()
            label = self.diagrams.both(label, self.literal())
        return label

    def literal(self) -> int:
        if self.next_is("!"):
            self.take()
            return self.diagrams.complement(self.literal())
        if self.next_is("("):
            self.take()
            label = self.disjunction()
            self.take(")")
            return label
        if self.next_is("t") or self.next_is("f"):
            return ALL if self.take() == "t" else NOTHING
        return self.diagrams.is_true(self.number(self.atoms))

"""The states that a specification can be in after what was seen: inputs, outputs and silence."""

from __future__ import annotations

from lfc.mcheck.refinement.behaviour import FAULT, Behaviour
from lfc.mcheck.refinement.normal_form import NormalForm
from lfc.online.alphabet import as_bytes, is_input, is_output

SILENCE = "silence"


class Specification:
    """Sets of states have numbers; 0 or more."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.form = NormalForm(behaviour, with_divergence=False)
        self.quiet: dict[int, int | None] = {}
        self.known: dict[int, tuple[list[str], list[str]]] = {}
        self.taken: dict[int, list[str]] = {}

    @property
    def first(self) -> int:
        return self.form.first

    def after(self, node: int, event: str) -> int | None:
        """None: not allowed."""
        return self.after_silence(node) if event == SILENCE else self.form.after(node, event)

    def events(self, node: int) -> tuple[list[str], list[str]]:
        """Inputs and outputs."""
        if node not in self.known:
            there = sorted(self.form.nodes[node].follows)
            self.known[node] = [e for e in there if is_input(e)], [e for e in there if is_output(e)]
        return self.known[node]

    def inputs(self, node: int) -> list[str]:
        """Those that it takes for certain: no state that it can stay in leaves one waiting."""
        if node not in self.taken:
            b = self.behaviour
            stays = [s for s in self.form.nodes[node].states if b.is_stable(s) or b.diverges(s)]
            self.taken[node] = [e for e in self.events(node)[0] if all(e in b.offers(s) for s in stays)]
        return self.taken[node]

    def outputs(self, node: int) -> list[str]:
        return self.events(node)[1]

    def faults(self, node: int) -> bool:
        """What comes then is not said."""
        return FAULT in self.form.nodes[node].follows

    def after_silence(self, node: int) -> int | None:
        """States in which nothing may come, for ever: stable ones that send nothing, and those that diverge."""
        if node not in self.quiet:
            b = self.behaviour
            left = [s for s in self.form.nodes[node].states if self.is_quiet(s)]
            left += [s for s in self.form.nodes[node].states if not b.is_stable(s) and b.diverges(s)]
            self.quiet[node] = self.form.node_of(left) if left else None
        return self.quiet[node]

    def is_quiet(self, state: int) -> bool:
        return self.behaviour.is_stable(state) and not any(is_output(e) for e in self.behaviour.offers(state))

    def output_of(self, node: int, text: bytes) -> str | None:
        """The output that is allowed there and stands so on the line."""
        return next((e for e in self.outputs(node) if as_bytes(e) == text), None)

"""Which reductions a request allows, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.clocks import FREE
from lfc.mcheck.reduction.por.partial_order import why_interwoven, why_not
from lfc.mcheck.reduction.por.visibility import asked_by_processes
from lfc.mcheck.reduction.symmetry.asymmetric_properties import telling_apart
from lfc.mcheck.request.fairness import Fair
from lfc.mcheck.request.property import Watch, Watched
from lfc.semantics.model import typed

SLICE, PARTIAL_ORDER, DEAD_VARIABLES, CHAINS, SYMMETRY = "slice", "por", "dead", "chains", "sym"
OF_SEARCHES = (PARTIAL_ORDER, DEAD_VARIABLES, CHAINS, SYMMETRY)
REDUCTIONS = (SLICE, *OF_SEARCHES)
AUTO = "auto"  # instead of names: see `auto`
WHAT = {
    SLICE: "statements",
    DEAD_VARIABLES: "variables",
    CHAINS: "passed_states",
    SYMMETRY: "exchanged_states",
}


@dataclass(slots=True)
class Reduction:
    """One that was asked for."""

    name: str
    why_not: str  # empty: it is used
    told: int = 0  # how much it did: what is counted is in WHAT
    text: str = ""  # what is said of it, if it is said elsewhere
    not_for: dict[str, str] = field(default_factory=dict)  # properties that are looked for without it: what each does
    notes: Sequence[str] = ()  # what it leaves as it is, and why

    def as_data(self) -> dict[str, object]:
        what = WHAT.get(self.name, "reduced_states")
        found: dict[str, object] = {
            "name": self.name,
            "used": not self.why_not,
            "reason": self.why_not,
            what: self.told,
        }
        more = {"not_for": self.not_for, "notes": list(self.notes)}
        return found | {name: said for name, said in more.items() if said}

    def as_text(self, states: str) -> str:
        if self.why_not:
            return f"reduction {self.name}: not used, {self.why_not}"
        if self.text:
            return f"reduction {self.name}: {self.text}"
        if self.name == DEAD_VARIABLES:
            variables = "1 variable is" if self.told == 1 else f"{self.told} variables are"
            return f"reduction {self.name}: {variables} no part of a state where nothing will read them"
        if self.name == CHAINS:
            return f"reduction {self.name}: {self.told} times a state with one successor was passed through, not kept"
        apart = "".join(f"; not for `{name}`, which {what}" for name, what in self.not_for.items())
        if self.name == SYMMETRY:
            said = f"reduction {self.name}: {self.told} times a state was found that is kept as one like it{apart}"
            return "\n".join([said, *(f"  {note}" for note in self.notes)])
        return f"reduction {self.name}: in {self.told} of {states} only some processes' steps were looked at{apart}"


def named_reductions(text: str) -> tuple[str, ...] | None:
    """`auto`, `all`, `none`, or names between commas; None: there is no such reduction."""
    names = [n.strip() for n in text.split(",")]
    if names == [AUTO]:
        return (AUTO,)
    if names in (["all"], ["none"]):
        return REDUCTIONS if names == ["all"] else ()
    return tuple(dict.fromkeys(names)) if all(n in REDUCTIONS for n in names) else None


def chosen_reductions(
    machine: Machine,
    names: Sequence[str],
    watched: Watch,
    fair: Sequence[Fair],
    time: str = FREE,
    rate: int = 0,
    image: bool = False,
    no_chains: str = "",
    no_slice: str = "",
    no_symmetry: str = "",
) -> list[Reduction]:
    """`image`: one is executed in every state; `no_chains` and the others: why these cannot be used."""
    if image:
        return [Reduction(name, "the image is executed in every state") for name in REDUCTIONS if name in names]
    found: list[Reduction] = []
    for name in (n for n in REDUCTIONS if n in names):
        if name == PARTIAL_ORDER:
            found.append(
                Reduction(name, why_not(machine, time, rate), not_for=counting_steps(machine, watched, fair, time))
            )
        elif name in (CHAINS, SLICE):
            found.append(Reduction(name, no_chains if name == CHAINS else no_slice))
        elif name == SYMMETRY:
            found.append(Reduction(name, no_symmetry, not_for=telling_apart(machine, watched, fair)))
        else:
            found.append(Reduction(name, ""))
    return found


def counting_steps(machine: Machine, watched: Watch, fair: Sequence[Fair], time: str) -> dict[str, str]:
    """Properties to which it may matter in which order steps come that have nothing to do with each other: what each
    does, by name."""
    if fair and (time != FREE or why_interwoven(machine)):
        why = "where time is counted" if time != FREE else f"where {why_interwoven(machine)}"
        return {w.of.name: f"assumes fairness {why}" for w in watched.properties}
    return {
        w.of.name: "may count steps" if w.automaton is None else "counts steps"
        for w in watched.properties
        if not w.stutter_insensitive
    }


def looked_for_with(reductions: Sequence[Reduction], name: str, watched: Watch) -> list[Watched]:
    """The properties that are looked for with this reduction."""
    apart = {p for r in reductions if r.name == name for p in r.not_for}
    return [w for w in watched.properties if w.of.name not in apart]


def without_which(reductions: Sequence[Reduction]) -> dict[str, frozenset[str]]:
    """Of each property that is not looked for with all that are used, by name: those that it is looked for without."""
    used = [r for r in reductions if not r.why_not]
    apart = {name for r in used for name in r.not_for}
    return {name: frozenset(r.name for r in used if name in r.not_for) for name in apart}


def asked_by(properties: Sequence[Watched], watched: Watch) -> list[typed.Expr]:
    """What they ask; nothing, if they are about which runs there are."""
    found: list[typed.Expr] = []
    for w in properties:
        found += [watched.atoms[n] for n in w.atoms]
        found += asked_by_processes([watched.watchers[w.watcher]] if w.automaton is None else [])
    return found

"""Sizes of automata beside those of `spin -f`, over the published formulas and their negations.

    python -m bench.automata [--growth]

SPIN prints an ordinary Büchi automaton with accepting states, as a never claim: a labelled group is a state, a `::` a
transition. `accept_all` (its `skip` ends the claim: all that follows is accepted) counts as a state with one
transition. SPIN as distributions build it knows no NEXT, so formulas with it are left out. Ours are counted twice: with
accepting states as SPIN's, and with sets of accepting transitions as the checker uses them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from bench.machine import machine_name
from lfc.mcheck.ltl.formula import Formula, Op, atoms_of, negation, node, subformulas
from lfc.mcheck.ltl.translate import Translation, translate
from tests.mcheck.ltl.fairness import strong_family, weak_family
from tests.mcheck.ltl.published import SETS, read

SECONDS = 10  # for one formula in SPIN

Size = tuple[int, int]  # states, transitions

_SIGNS = {Op.AND: "&&", Op.OR: "||", Op.IMPLIES: "->", Op.IFF: "<->", Op.UNTIL: "U", Op.RELEASE: "V"}
_BEFORE = {Op.NOT: "!", Op.ALWAYS: "[]", Op.EVENTUALLY: "<>"}


@dataclass(slots=True)
class ClaimState:
    names: list[str]
    transitions: list[tuple[str, str]]  # condition, name of the target

    @property
    def accepting(self) -> bool:
        return any(name.startswith("accept") for name in self.names)


def spin_text(f: Formula, names: dict[str, str]) -> str:
    """In SPIN's syntax, fully parenthesised."""
    parts = [spin_text(p, names) for p in f.parts]
    if f.op is Op.ATOM:
        return names[f.name]
    if f.op in (Op.TRUE, Op.FALSE):
        return str(f.op.value).lower()
    if f.op in _BEFORE:
        return f"{_BEFORE[f.op]}({parts[0]})"
    if f.op is Op.WEAKUNTIL:
        a, b = parts
        return f"(({b}) V (({a}) || ({b})))"
    if f.op is Op.STRONGRELEASE:
        a, b = parts
        return f"(({b}) U (({a}) && ({b})))"
    return "(" + f" {_SIGNS[f.op]} ".join(f"({p})" for p in parts) + ")"


def spin_claim(f: Formula) -> list[ClaimState] | None:
    """The states of SPIN's claim, the initial one first, over atoms a0, a1, ... in the order of `atoms_of`.
    None if SPIN needs too long."""
    names = {name: f"a{i}" for i, name in enumerate(atoms_of(f))}
    try:
        done = subprocess.run(
            ["spin", "-f", spin_text(f, names)], capture_output=True, text=True, timeout=SECONDS, check=True
        )
    except subprocess.TimeoutExpired:
        return None
    return read_claim(done.stdout)


def read_claim(text: str) -> list[ClaimState]:
    states: list[ClaimState] = []
    names: list[str] = []
    for line in text.splitlines():
        label = re.fullmatch(r"(\w+):", line)
        if label:
            names.append(label[1])
        elif line.strip() == "do" or line.strip() in ("skip", "false;"):
            states.append(ClaimState(names, [("(1)", names[0])] if line.strip() == "skip" else []))
            names = []
        elif move := re.fullmatch(r"\s*:: (.*) -> goto (\w+)", line):
            states[-1].transitions.append((move[1], move[2]))
        elif last := re.fullmatch(r"\s*:: atomic \{ (.*) -> assert\(!\(.*\)\) \}", line):
            states[-1].transitions.append((last[1], "accept_all"))
    assert states and any("init" in name for name in states[0].names)
    return states


def claim_size(states: list[ClaimState]) -> Size:
    return len(states), sum(len(s.transitions) for s in states)


def has_next(f: Formula) -> bool:
    return any(g.op is Op.NEXT for g in subformulas(f))


def with_negations(lines: Iterable[str]) -> list[Formula]:
    formulas = [read(line) for line in lines]
    return [g for f in formulas for g in (f, negation(f))]


def our_sizes(t: Translation) -> tuple[Size, Size]:
    """With accepting states, and with accepting transitions."""
    buchi, transitions = t.automaton(buchi=True), t.automaton()
    return (buchi.states, len(buchi.transitions)), (transitions.states, len(transitions.transitions))


@dataclass(slots=True)
class Sums:
    formulas: int = 0
    spin: Size = (0, 0)
    buchi: Size = (0, 0)
    transition_based: Size = (0, 0)
    too_slow: int = 0
    larger: int = 0  # formulas for which SPIN's has fewer states

    def add(self, f: Formula) -> None:
        claim = spin_claim(f)
        if claim is None:
            self.too_slow += 1
            return
        spin = claim_size(claim)
        buchi, transition_based = our_sizes(translate(f))
        self.formulas += 1
        self.spin = _plus(self.spin, spin)
        self.buchi = _plus(self.buchi, buchi)
        self.transition_based = _plus(self.transition_based, transition_based)
        self.larger += buchi[0] > spin[0]


def _plus(a: Size, b: Size) -> Size:
    return a[0] + b[0], a[1] + b[1]


def sums_of(formulas: Iterable[Formula]) -> Sums:
    sums = Sums()
    for f in formulas:
        if not has_next(f):
            sums.add(f)
    return sums


def families() -> dict[str, list[Formula]]:
    found = {name: with_negations(lines) for name, lines in SETS.items()}
    for name, family in FAIRNESS:
        found[name + ", n = 1, 2, 3"] = [g for n in (1, 2, 3) for g in (family(n), node(Op.NOT, family(n)))]
    return found


FAIRNESS = (("(/\\[]<>p_i) -> []<>q", weak_family), ("/\\([]<>p_i -> []<>q_i) -> []<>s", strong_family))


def tell_growth() -> None:
    """Each of the two families with up to five assumptions."""
    print(
        "states / transitions and seconds of the processor: "
        "of SPIN's; of ours with accepting states; of ours with accepting transitions"
    )
    for name, family in FAIRNESS:
        for n in range(1, 6):
            for f, what in ((family(n), ""), (node(Op.NOT, family(n)), "not ")):
                begin = os.times()
                claim = spin_claim(f)
                between = os.times()
                ours = our_sizes(translate(f))
                seconds = os.times().user - between.user
                spin = f"more than {SECONDS} s"
                if claim is not None:
                    spin = f"{shown(claim_size(claim))} {between.children_user - begin.children_user:6.2f} s"
                print(f"{what + name:40} n = {n}   {spin:22}   {shown(ours[0])}  {shown(ours[1])} {seconds:6.2f} s")


def shown(size: Size) -> str:
    return f"{size[0]:4} / {size[1]:4}"


def main() -> None:
    if shutil.which("spin") is None:
        raise SystemExit("bench.automata: needs `spin`")
    version = subprocess.run(["spin", "-V"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{machine_name()}; {version}")
    if sys.argv[1:] == ["--growth"]:
        return tell_growth()
    print("Formulas; states / transitions of SPIN's, ours with accepting states, ours with accepting transitions;")
    print("formulas for which ours with accepting states has more states than SPIN's; formulas SPIN took too long for.")
    for name, formulas in families().items():
        s = sums_of(formulas)
        shown = [f"{a:5} / {b:5}" for a, b in (s.spin, s.buchi, s.transition_based)]
        print(f"{name:44} {s.formulas:4}   {shown[0]}   {shown[1]}   {shown[2]}   {s.larger:3}   {s.too_slow:3}")


if __name__ == "__main__":
    main()

"""An automaton as text, as DOT, in the Hanoi Omega-Automata format (v1), and as JSON."""

from __future__ import annotations

import json

from lfc.base.version import __version__
from lfc.mcheck.ltl.automaton import Automaton, Transition
from lfc.mcheck.ltl.bdd import Cube
from lfc.mcheck.ltl.scc import Strength


def as_text(a: Automaton) -> str:
    accepting = a.accepting_states if a.state_based else frozenset()
    sets = "accepting states" if a.state_based else _count(a.acceptance_sets, "acceptance set")
    stutter = "insensitive" if a.stutter_insensitive else "sensitive"
    lines = [
        f"{_count(a.states, 'state')}, {_count(len(a.transitions), 'transition')}, {sets}",
        f"class: {a.kind.value}; {stutter} to stuttering",
    ]
    for s in range(a.states):
        words = ["initial"] if s == a.initial else []
        words += ["accepting"] if s in accepting else []
        words.append(a.strength[a.component[s]].value)
        lines.append(f"state {s} ({', '.join(words)})")
        for t in a.transitions:
            if t.source == s:
                marks = "" if a.state_based else _marks(t.acceptance)
                lines.append(f"  {label_text(a, t)} -> {t.target}{marks}")
    return "\n".join(lines)


def label_text(a: Automaton, t: Transition) -> str:
    """In the operators of the language."""
    return " OR ".join(_cube(c, list(a.atoms), "TRUE", "~", " & ") for c in t.cubes)


def as_dot(a: Automaton, name: str) -> str:
    accepting = a.accepting_states if a.state_based else frozenset()
    lines = ["digraph {", f"  label={_quoted(name)}", "  rankdir=LR", "  node [shape=circle]", "  start [shape=point]"]
    lines += [f"  {s} [shape=doublecircle]" for s in sorted(accepting)]
    lines.append(f"  start -> {a.initial}")
    for t in a.transitions:
        marks = "" if a.state_based else _marks(t.acceptance)
        lines.append(f"  {t.source} -> {t.target} [label={_quoted(label_text(a, t) + marks)}]")
    return "\n".join([*lines, "}"])


def as_hoa(a: Automaton, name: str) -> str:
    n = a.acceptance_sets
    acceptance = " & ".join(f"Inf({i})" for i in range(n)) or "t"
    known = {0: "all", 1: "Buchi"}.get(n, f"generalized-Buchi {n}")
    properties = ["trans-labels", "explicit-labels", "state-acc" if a.state_based else "trans-acc"]
    properties.append("stutter-invariant" if a.stutter_insensitive else "stutter-sensitive")
    if Strength.STRONG not in a.strength:
        properties.append("weak")
    lines = [
        "HOA: v1",
        f"name: {_quoted(name)}",
        f'tool: "lfc" "{__version__}"',
        f"States: {a.states}",
        f"Start: {a.initial}",
        " ".join([f"AP: {len(a.atoms)}", *map(_quoted, a.atoms)]),
        f"acc-name: {known}",
        f"Acceptance: {n} {acceptance}",
        f"properties: {' '.join(properties)}",
        "--BODY--",
    ]
    numbers = [str(i) for i in range(len(a.atoms))]
    for s in range(a.states):
        lines.append(f"State: {s}" + (" {0}" if a.state_based and s in a.accepting_states else ""))
        for t in a.transitions:
            if t.source == s:
                label = " | ".join(_cube(c, numbers, "t", "!", "&") for c in t.cubes)
                lines.append(f"[{label}] {t.target}" + ("" if a.state_based else _marks(t.acceptance)))
    return "\n".join([*lines, "--END--"])


def as_json(a: Automaton, formula: str) -> str:
    transitions = [
        {
            "source": t.source,
            "target": t.target,
            "sets": _members(t.acceptance),
            "label": [{"true": _members(p), "false": _members(n)} for p, n in t.cubes],
        }
        for t in a.transitions
    ]
    data = {
        "version": 1,
        "formula": formula,
        "atoms": a.atoms,
        "states": a.states,
        "initial": a.initial,
        "acceptance_sets": a.acceptance_sets,
        "state_based": a.state_based,
        "component": a.component,
        "strength": [s.value for s in a.strength],
        "class": a.kind.value,
        "stutter_insensitive": a.stutter_insensitive,
        "transitions": transitions,
    }
    return json.dumps(data, indent=2)


def _cube(cube: Cube, atoms: list[str], everything: str, negation: str, conjunction: str) -> str:
    positive, negative = cube
    literals = []
    for i, name in enumerate(atoms):
        if positive >> i & 1:
            literals.append(name if name.isalnum() or negation == "!" else _operand(name))
        elif negative >> i & 1:
            literals.append(negation + (name if negation == "!" else _operand(name)))
    return conjunction.join(literals) or everything


def _operand(name: str) -> str:
    return f"({name})" if any(sign in name for sign in " =#<>+-*/&~") else name


def _marks(acceptance: int) -> str:
    return f" {{{' '.join(map(str, _members(acceptance)))}}}" if acceptance else ""


def _members(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")

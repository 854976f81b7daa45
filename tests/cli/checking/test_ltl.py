"""`lfc ltl`: the automaton of a formula in each form, and errors with the place marked."""

from __future__ import annotations

import json

from tests.cli.lfc import lfc


def test_text() -> None:
    outcome = lfc("ltl", "[] (p -> <> q)")
    assert outcome.exit == 0
    assert outcome.out.splitlines() == [
        "ALWAYS (p IMPLIES EVENTUALLY q)",
        "2 states, 4 transitions, 1 acceptance set",
        "class: other; insensitive to stuttering",
        "state 0 (initial, strong)",
        "  ~p OR q -> 0 {0}",
        "  p & ~q -> 1",
        "state 1 (strong)",
        "  q -> 0 {0}",
        "  ~q -> 1",
    ]


def test_negated_with_accepting_states() -> None:
    outcome = lfc("ltl", "--negate", "--buchi", "ALWAYS (READY(P) IMPLIES EVENTUALLY x = 3)")
    assert outcome.out.splitlines() == [
        "violations of ALWAYS (READY(P) IMPLIES EVENTUALLY (x = 3))",
        "2 states, 3 transitions, accepting states",
        "class: other; insensitive to stuttering",
        "state 0 (initial, rejecting)",
        "  TRUE -> 0",
        "  READY(P) & ~(x = 3) -> 1",
        "state 1 (accepting, weak)",
        "  ~(x = 3) -> 1",
    ]


def test_other_forms() -> None:
    assert lfc("ltl", "--hoa", "p U q").out.startswith('HOA: v1\nname: "p UNTIL q"\n')
    assert lfc("ltl", "--dot", "p U q").out.startswith('digraph {\n  label="p UNTIL q"\n')
    data = json.loads(lfc("ltl", "--json", "p U q").out)
    assert (data["states"], data["atoms"], data["class"]) == (2, ["p", "q"], "guarantee")


def test_an_error_is_marked() -> None:
    outcome = lfc("ltl", "p & [] q")
    assert outcome.exit == 1
    assert outcome.err.splitlines()[:3] == [
        "<formula>:1:5: error LF0202: `[]` binds weaker than the operator before it",
        "    1 | p & [] q",
        "      |     ^^",
    ]
    found = json.loads(lfc("ltl", "--json", "p U").out)
    assert found["diagnostics"][0]["code"] == "LF0201"


def test_too_large() -> None:
    outcome = lfc("ltl", " /\\ ".join(f"[]<>p{i}" for i in range(30)))
    assert (outcome.exit, outcome.out) == (6, "inconclusive: the automaton of this formula would be too large\n")

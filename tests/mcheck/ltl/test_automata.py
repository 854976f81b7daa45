"""What is said of automata: their class, their strength, stuttering; their forms; the data handed on."""

from __future__ import annotations

import json
from random import Random

import pytest

from lfc.mcheck.ltl.automaton import Automaton, Kind
from lfc.mcheck.ltl.bdd import Diagrams, TooLarge
from lfc.mcheck.ltl.formula import Op, atom, node
from lfc.mcheck.ltl.product import accepts, disjoint
from lfc.mcheck.ltl.scc import Strength
from lfc.mcheck.ltl.show import as_dot, as_hoa, as_json
from lfc.mcheck.ltl.tgba import Edge, Graph
from lfc.mcheck.ltl.translate import automaton_of_violations, translate
from tests.mcheck.ltl.hoa import Refused, read_hoa
from tests.mcheck.ltl.published import ALL, parse, read
from tests.mcheck.ltl.words import NAMES, random_formula, random_word, satisfied


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("p", Kind.BOTH),
        ("p -> X q", Kind.BOTH),
        ("[]p", Kind.SAFETY),
        ("p W q", Kind.SAFETY),
        ("[](p -> X X q)", Kind.SAFETY),
        ("<>p", Kind.GUARANTEE),
        ("p U (q U r)", Kind.GUARANTEE),
        ("[]p \\/ <>q", Kind.OBLIGATION),
        ("<>p -> (q U p)", Kind.SAFETY),
        ("[]<>p", Kind.OTHER),
        ("<>[]p", Kind.OTHER),
        ("[](p -> <>q)", Kind.OTHER),
        ("[]p /\\ []<>p", Kind.SAFETY),
        ("[](p /\\ <>q) /\\ []!q", Kind.BOTH),
    ],
)
def test_class(text: str, kind: Kind) -> None:
    t = translate(parse(text))
    assert (t.kind, t.automaton(negated=True).kind) == (kind, kind.opposite)


@pytest.mark.parametrize("line", ALL)
def test_violations_of_safety_are_found_by_reachability(line: str) -> None:
    t = translate(read(line))
    if t.kind in (Kind.SAFETY, Kind.BOTH):
        a = t.automaton(negated=True)
        assert {Strength.WEAK, Strength.STRONG}.isdisjoint(a.strength)


def test_components_that_are_called_terminal_accept_everything() -> None:
    seen = 0
    for seed in range(120):
        random = Random(seed)
        t = translate(random_formula(random, 9, NAMES[:3]))
        a = t.automaton()
        for s in range(a.states):
            if a.strength[a.component[s]] is Strength.TERMINAL:
                g = Graph(t.accepts.diagrams, t.atoms, s, t.accepts.out, t.accepts.sets)
                assert all(accepts(g.reachable(), random_word(random, len(t.atoms))) for _ in range(5))
                seen += 1
    assert seen > 20


@pytest.mark.parametrize(
    ("text", "insensitive"),
    [
        ("[](p -> <>q)", True),
        ("X p", False),
        ("p /\\ X !p", False),
        ("p U (p /\\ X q)", False),
        ("X <>p", False),  # a p that stands alone at first does not do; repeated, it does
        ("<>(p /\\ X !p)", True),  # a p that ends, however long it lasts
        ("[](p -> X (p \\/ q))", True),
        ("[](p -> X q)", False),
        ("p U (X p)", False),
        ("X X []<>p", True),
    ],
)
def test_stuttering(text: str, insensitive: bool) -> None:
    assert translate(parse(text)).stutter_insensitive is insensitive


def test_stuttering_as_words_show_it() -> None:
    """An insensitive language must not tell a word from the word with something repeated; for a sensitive one, such
    words are mostly found."""
    sensitive = found = insensitive = 0
    for seed in range(150):
        random = Random(seed)
        f = random_formula(random, 7, NAMES[:2])
        t = translate(f)
        told = 0
        for _ in range(200):
            prefix, cycle = random_word(random, len(t.atoms))
            stuttered = [v for v in prefix for _ in range(random.randint(1, 3))]
            around = [v for v in cycle for _ in range(random.randint(1, 3))]
            told += satisfied(f, (prefix, cycle), t.atoms) != satisfied(f, (stuttered, around), t.atoms)
        if t.stutter_insensitive:
            assert told == 0, str(f)
            insensitive += 1
        else:
            sensitive += 1
            found += told > 0
    assert sensitive > 15 and insensitive > 50 and found > 0.75 * sensitive


def rebuilt(a: Automaton) -> Graph:
    """From the data that the search gets."""
    d = Diagrams()
    first, positive, negative = a.cube_arrays()
    out: list[list[Edge]] = [[] for _ in range(a.states)]
    begins = a.first_transitions()
    for s in range(a.states):
        for i in range(begins[s], begins[s + 1]):
            t = a.transitions[i]
            assert t.source == s
            label = 0
            for c in range(first[i], first[i + 1]):
                cube = 1
                for atom_number in range(len(a.atoms)):
                    if positive[c] >> atom_number & 1:
                        cube = d.both(cube, d.is_true(atom_number))
                    if negative[c] >> atom_number & 1:
                        cube = d.both(cube, d.complement(d.is_true(atom_number)))
                label = d.either(label, cube)
            out[s].append(Edge(label, t.acceptance, t.target))
    return Graph(d, list(a.atoms), a.initial, out, a.acceptance_sets)


def test_the_data_is_the_automaton() -> None:
    for seed in range(80):
        random = Random(seed)
        f = random_formula(random, 10, NAMES[:3])
        for buchi in (False, True):
            g = rebuilt(automaton_of_violations(f) if not buchi else translate(f).automaton(negated=True, buchi=True))
            for _ in range(20):
                word = random_word(random, len(g.atoms))
                assert accepts(g, word) != satisfied(f, word, g.atoms)


@pytest.mark.parametrize("line", ALL[::4])
@pytest.mark.parametrize("buchi", [False, True])
def test_hoa_is_read_again_as_the_same_language(line: str, buchi: bool) -> None:
    t = translate(read(line))
    a = t.automaton(buchi=buchi)
    hoa = read_hoa(as_hoa(a, 'a "name" \\'), t.accepts.diagrams)
    assert hoa.graph is not None and hoa.graph.atoms == t.atoms
    assert hoa.graph.size == (a.states, len(a.transitions))
    assert disjoint(hoa.graph, t.rejects)
    opposite = read_hoa(as_hoa(t.automaton(negated=True, buchi=buchi), ""), t.accepts.diagrams)
    assert opposite.graph is not None and disjoint(opposite.graph, t.accepts)
    for i in range(15):
        word = random_word(Random(i), len(t.atoms))
        assert accepts(hoa.graph, word) != accepts(opposite.graph, word)


def test_the_strict_reader_refuses() -> None:
    good = as_hoa(translate(parse("[]<>p")).automaton(), "x")
    read_hoa(good, Diagrams())
    for old, new in (("v1", "v2"), ("States: 1", "States: 2"), ("Inf(0)", "Inf(1)"), ("[0]", "[3]"), ("--END--", "")):
        assert old in good
        with pytest.raises((Refused, ValueError)):
            read_hoa(good.replace(old, new), Diagrams())


def test_dot_and_json() -> None:
    a = translate(parse('p U "a \\ b"')).automaton(buchi=True)
    dot = as_dot(a, "p")
    assert dot.count(" -> ") == len(a.transitions) + 1 and dot.count("doublecircle") == len(a.accepting_states) == 1
    data = json.loads(as_json(a, "f"))
    assert data["states"] == 2 and data["class"] == "guarantee" and len(data["transitions"]) == 3


def test_too_large_is_said() -> None:
    with pytest.raises(TooLarge):
        translate(parse(" /\\ ".join(f"[]<>p{i}" for i in range(20)))).automaton()
    f = atom("p0")
    for i in range(1, 70):
        f = node(Op.OR, f, atom(f"p{i}"))
    with pytest.raises(TooLarge):
        translate(f).automaton()

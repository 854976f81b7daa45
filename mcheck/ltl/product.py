"""Is there a word that two automata accept; does one accept a given word?"""

from __future__ import annotations

from lfc.mcheck.ltl.bdd import NOTHING, Diagrams, TooLarge
from lfc.mcheck.ltl.scc import Strength, components_of
from lfc.mcheck.ltl.tgba import Edge, Graph

Lasso = tuple[list[int], list[int]]  # valuations (masks of the true atoms): a prefix, and a cycle that is not empty


def product_of(a: Graph, b: Graph, most: int = 1_000_000) -> Graph:
    """Accepts what both accept. They share their diagrams and atoms."""
    d = a.diagrams
    number = {(a.initial, b.initial): 0}
    order = [(a.initial, b.initial)]
    out: list[list[Edge]] = []
    for s, t in order:
        here = []
        for la, ma, ta in a.out[s]:
            for lb, mb, tb in b.out[t]:
                label = d.both(la, lb)
                if label == NOTHING:
                    continue
                target = number.get((ta, tb))
                if target is None:
                    target = number[ta, tb] = len(order)
                    order.append((ta, tb))
                    if target > most:
                        raise TooLarge
                here.append(Edge(label, ma | mb << a.sets, target))
        out.append(here)
    return Graph(d, a.atoms, 0, out, a.sets + b.sets)


def is_empty(g: Graph) -> bool:
    """Whether no word is accepted. All states must be reachable."""
    accepting = (Strength.STRONG, Strength.WEAK, Strength.TERMINAL)
    return not any(c.strength in accepting for c in components_of(g).all)


def disjoint(a: Graph, b: Graph, most: int = 1_000_000) -> bool:
    return is_empty(product_of(a, b, most))


def accepts(g: Graph, word: Lasso) -> bool:
    return not disjoint(g, word_automaton(word, g.diagrams, g.atoms))


def word_automaton(word: Lasso, diagrams: Diagrams, atoms: list[str]) -> Graph:
    """Accepts this one word."""
    prefix, cycle = word
    valuations = prefix + cycle
    last = len(valuations) - 1
    out = []
    for i, valuation in enumerate(valuations):
        out.append([Edge(diagrams.letter(valuation, len(atoms)), 0, i + 1 if i < last else len(prefix))])
    return Graph(diagrams, atoms, 0, out, 0)

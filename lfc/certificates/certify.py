"""Makes a certificate: the product state by state, its strongly connected components in order, a missing mark of
each.
"""

from __future__ import annotations

from lfc.actions.as_data import composition_digest
from lfc.actions.model.machine import Machine
from lfc.base.breadth_first import Found
from lfc.base.scc import components
from lfc.certificates.files import Certificate
from lfc.certificates.product import NotAllTried, Product, ProductEdge, TooManyAtoms
from lfc.certificates.tableau import MeasuresTime, TooLarge
from lfc.certificates.verify import NOT_ALL, State, formula_named


class NotCertified(Exception):
    """Says why."""


def certify(machine: Machine, name: str, fair: list[int], most_states: int = 200_000) -> Certificate:
    """Raises NotCertified, Faults."""
    try:
        product = Product(machine, formula_named(machine, name), sorted(fair))
    except MeasuresTime:
        raise NotCertified("its formula measures time (WITHIN, FOR), which the validator does not") from None
    except (TooManyAtoms, TooLarge):
        raise NotCertified("the formula is too large for the validator") from None
    edges: dict[State, list[ProductEdge]] = {}
    found = Found((product.initial, 0))
    for number, state in found:
        if number >= most_states:
            raise NotCertified(f"the product has more than {most_states} states")
        try:
            edges[state] = list(product.edges(*state))
        except NotAllTried:
            raise NotCertified(f"the program {NOT_ALL}") from None
        for e in edges[state]:
            found.number(e.target)
    # The number of each state's strongly connected component: edges lead to lower numbers, or stay.
    parts = components(found.nodes, lambda state: [e.target for e in edges[state]])
    ranks = {state: number for number, part in enumerate(parts) for state in part}
    return Certificate(composition_digest(machine).hex(), name, product.fair, *listed(edges, ranks, product.marks))


def listed(
    edges: dict[State, list[ProductEdge]], ranks: dict[State, int], marks: int
) -> tuple[list[str], list[tuple[int, int, int]], list[int]]:
    carried = [0] * (max(ranks.values()) + 1)
    inside = [False] * len(carried)
    for state, out in edges.items():
        for e in out:
            if ranks[e.target] == ranks[state]:
                carried[ranks[state]] |= e.marks
                inside[ranks[state]] = True
    missing = []
    for rank, seen in enumerate(carried):
        free = [i for i in range(marks) if not seen >> i & 1]
        if inside[rank] and not free:
            raise NotCertified("a run violates the property")
        missing.append(free[0] if inside[rank] else -1)
    numbers: dict[bytes, int] = {}
    entries = [(numbers.setdefault(block, len(numbers)), q, rank) for (block, q), rank in ranks.items()]
    return [b.hex() for b in numbers], sorted(entries), missing

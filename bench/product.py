"""How fast properties are searched: states of the product a second, of a property that holds.

    python -m bench.product

Dining philosophers and forks, "somebody puts a fork back again and again", with fairness under which it holds: the
search for cycles sees all of the product.
"""

from __future__ import annotations

import time

from bench.machine import machine_name
from lfc.mcheck.cycles import How, Verdict
from lfc.mcheck.fairness import Fair, assumed_fairness
from lfc.mcheck.properties import ProductSearch, watch
from lfc.mcheck.search import Search
from tests.mcheck.test_fairness import OF_THE_LITERATURE, college


def measured(n: int, how: How, asked: tuple[str, ...]) -> str:
    m = college(n)
    fair: list[Fair] = assumed_fairness(m, "", asked)
    watched = watch(m, m.program.main.properties)
    search = Search(m, atoms=watched.atoms)
    product = ProductSearch(m, search, watched, fair)
    begin = time.process_time()
    found = product.run(watched.properties[0], how)
    seconds = time.process_time() - begin
    search.close()
    assert found.verdict is Verdict.NONE
    rates = f"{found.states / seconds / 1e6:.2f} million states/s, {found.edges / seconds / 1e6:.2f} million edges/s"
    return f"{found.states:,} states, {found.edges:,} edges, {seconds:.2f} s: {rates}"


def main() -> None:
    print(machine_name())
    for n in (3, 4, 5):
        for how in How:
            print(f"{n} philosophers, {how.name.lower()}: {measured(n, how, OF_THE_LITERATURE)}")
        strong = tuple(text.replace("weak", "strong") for text in OF_THE_LITERATURE)
        print(f"{n} philosophers, strong: {measured(n, How.COMPONENTS, strong)}")


if __name__ == "__main__":
    main()

"""How fast properties are searched: states of the product a second, of a property that holds.

    python -m bench.product [--philosophers N]

Dining philosophers and forks, "somebody puts a fork back again and again", with fairness under which it holds: the
search for cycles sees all of the product.
"""

from __future__ import annotations

import argparse
import resource
import time

from bench.machine import machine_name
from lfc.mcheck.model.fairness import Fair, assumed_fairness
from lfc.mcheck.properties.emptiness import How, Verdict
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.search.search import Search
from tests.mcheck.properties.literature import OF_THE_LITERATURE
from tests.mcheck.properties.test_fairness import college


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
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"{found.states:,} states, {found.edges:,} edges, {seconds:.2f} s, {memory} MB at most: {rates}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--philosophers", type=int, metavar="N", help="only these many, with one search (7: 9 GB)")
    alone = parser.parse_args().philosophers
    print(machine_name())
    if alone:
        print(f"{alone} philosophers, components: {measured(alone, How.COMPONENTS, OF_THE_LITERATURE)}")
        return
    for n in (3, 4, 5):
        for how in How:
            print(f"{n} philosophers, {how.name.lower()}: {measured(n, how, OF_THE_LITERATURE)}")
        strong = tuple(text.replace("weak", "strong") for text in OF_THE_LITERATURE)
        print(f"{n} philosophers, strong: {measured(n, How.COMPONENTS, strong)}")


if __name__ == "__main__":
    main()

"""Several properties are searched at once, each in a thread; what is found comes in the order of the properties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from lfc.mcheck.properties.emptiness import Found, How, Verdict
from lfc.mcheck.properties.product import NOT_SEARCHED, ProductSearch
from lfc.mcheck.request.property import Watched


def searched(
    product: ProductSearch, properties: Sequence[Watched], how: How, most_states: int, threads: int, all_of_them: bool
) -> Iterator[tuple[Watched, Found]]:
    """With `all_of_them` false, what comes after a violated one may not have been searched. Raises TooMany."""
    at_once = min(threads, len(properties))
    if at_once < 2:
        for w in properties:
            yield w, product.run(w, how, most_states)
        return
    lock, violated = Lock(), [len(properties)]  # the first that is known to be violated

    def search(number: int) -> Found:
        if product.search.interrupted or (number > violated[0] and not all_of_them):
            return NOT_SEARCHED
        found = product.run(properties[number], how, most_states // at_once)
        if found.verdict is Verdict.FOUND:
            with lock:
                violated[0] = min(violated[0], number)
        return found

    with ThreadPoolExecutor(at_once) as pool:  # all have ended before anything is told
        results = [pool.submit(search, n) for n in range(len(properties))]
    for w, result in zip(properties, results, strict=True):
        found = result.result()
        if found.verdict in (Verdict.STOPPED, Verdict.NO_MEMORY) and not product.search.interrupted:
            found = product.run(w, how, most_states)  # alone it has more room
        yield w, found

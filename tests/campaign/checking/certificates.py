"""Certificates with one changed entry: refused, or, judged another way, a proof as well.

python -m tests.campaign.checking.certificates [--most 100]
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable
from typing import Any

from lfc.certificates.certify import certify
from lfc.certificates.files import BadCertificate, Certificate, digest, from_document
from lfc.certificates.product import Product
from lfc.certificates.verify import formula_named, verify
from tests.support.seeds import add_seed, parsed
from tests.support.turns import TURNS, machine

NAMES = ["exclusion", "progress", "handed"]
MAY_BE_PROOFS = {"entry: rank", "fair", "property"}
KINDS = MAY_BE_PROOFS | {
    *("entry dropped", "entry twice", "entry: state", "entry: automaton"),
    *(
        "state: a bit",
        "state: size",
        "state dropped",
        "missing mark",
        "rank dropped",
        "rank more",
        "program",
        "property",
    ),
}

Mutants = dict[str, list[dict[str, Any]]]


def mutants(c: Certificate, marks: int, automaton_states: int) -> Mutants:
    """Each certificate with one entry changed, to each other value that it could have, by kind; hashes are right."""
    found: Mutants = {}
    original = json.dumps(c.content())

    def mutant(kind: str, change: Callable[[dict[str, Any]], object]) -> None:
        content = json.loads(original)
        change(content)
        if content != c.content():
            found.setdefault(kind, []).append(content)

    def each(kind: str, where: str, i: int, values: Iterable[object]) -> None:
        for v in values:
            mutant(kind, lambda d, v=v: d[where].__setitem__(i, v))  # type: ignore[misc]

    for i, (number, q, rank) in enumerate(c.entries):
        mutant("entry dropped", lambda d, i=i: d["entries"].pop(i))  # type: ignore[misc]
        mutant("entry twice", lambda d, i=i: d["entries"].append(d["entries"][i]))  # type: ignore[misc]
        each("entry: state", "entries", i, ([n, q, rank] for n in range(-1, len(c.states) + 1)))
        each("entry: automaton", "entries", i, ([number, n, rank] for n in range(-1, automaton_states + 1)))
        each("entry: rank", "entries", i, ([number, q, n] for n in range(-1, len(c.missing) + 1)))
    for i, state in enumerate(c.states):
        block = bytes.fromhex(state)
        for bit in range(8 * len(block)):
            changed = bytearray(block)
            changed[bit // 8] ^= 1 << bit % 8
            each("state: a bit", "states", i, [changed.hex()])
        each("state: size", "states", i, [state[:-2], state + "00", "", "zz" + state[2:]])
        mutant("state dropped", lambda d, i=i: d["states"].pop(i))  # type: ignore[misc]
    for i in range(len(c.missing)):
        each("missing mark", "missing", i, range(-2, marks + 2))
        mutant("rank dropped", lambda d, i=i: d["missing"].pop(i))  # type: ignore[misc]
    mutant("rank more", lambda d: d["missing"].append(0))
    for slot in range(-1, 5):
        mutant("fair", lambda d, s=slot: d.__setitem__("fair", [*d["fair"], s]))  # type: ignore[misc]
    for i in range(len(c.program)):
        digit = f"{int(c.program[i], 16) ^ 1:x}"
        digest = c.program[:i] + digit + c.program[i + 1 :]
        mutant("program", lambda d, x=digest: d.__setitem__("program", x))  # type: ignore[misc]
    for name in ("exclusion", "progress", "handed", "never", "ready", "nobody", ""):
        mutant("property", lambda d, n=name: d.__setitem__("property", n))  # type: ignore[misc]
    return found


def is_proof(product: Product, content: dict[str, Any]) -> bool:
    """Judged without `verify`: everything reachable is listed, and no listed cycle has all marks."""
    listed = {(bytes.fromhex(content["states"][n]), q): rank for n, q, rank in content["entries"]}
    stack, seen = [(product.initial, 0)], set()
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        if state not in listed:
            return False
        for e in product.edges(*state):
            if e.target not in listed or listed[e.target] > listed[state]:
                return False
            if listed[e.target] == listed[state]:
                missing = content["missing"][listed[state]]
                if missing < 0 or missing >= product.marks or e.marks >> missing & 1:
                    return False
            stack.append(e.target)
    return len(seen) == len(listed)


def campaign(name: str, most: int, seed: int) -> dict[str, tuple[int, int]]:
    """By kind how many were tried, and refused; at most so many of a kind (0: all). Raises AssertionError."""
    m = machine(TURNS)
    c = certify(m, name, [])
    assert verify(m, c) == len(c.entries)
    product = Product(m, formula_named(m, name), [])
    counts: dict[str, tuple[int, int]] = {}
    for kind, share in mutants(c, product.marks, len(product.automaton.transitions)).items():
        if most and len(share) > most:
            share = random.Random(f"{name} {kind} {seed}").sample(share, most)
        refused = 0
        for content in share:
            assert digest(content) != digest(c.content())
            try:
                verify(m, from_document(content))
            except BadCertificate:
                refused += 1
            else:  # with another ranking, more fairness, or of a similar property, it may be a proof as well
                assert kind in MAY_BE_PROOFS, kind
                judged = Product(m, formula_named(m, content["property"]), content["fair"])
                assert is_proof(judged, content), kind
        counts[kind] = len(share), refused
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=0)
    add_seed(parser)
    options = parsed(parser)
    for name in NAMES:
        counts = campaign(name, options.most, options.seed)
        tried, refused = (sum(n[i] for n in counts.values()) for i in (0, 1))
        print(f"{name}: {tried} changed certificates, {refused} refused, {tried - refused} are proofs as well")
        print("  " + ", ".join(f"{kind} {n} of {of}" for kind, (of, n) in counts.items()))


if __name__ == "__main__":
    main()

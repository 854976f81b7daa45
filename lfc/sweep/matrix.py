"""The configurations: all combinations of the values of constants, and of features one by one and in pairs.

A constant that is named by `pairs` is a set of features. Each of its values is a feature, `none` is none of them; the
configurations have none, each alone, and each two together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

RANGE = re.compile(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*$")
MOST = 10_000
NONE = "none"


class BadSweep(ValueError):
    """Says what is wrong with the description of a sweep."""


@dataclass(frozen=True, slots=True)
class Configuration:
    values: tuple[tuple[str, str], ...]  # constant, value, as for -D
    features: tuple[str, frozenset[str]] | None = None  # of a constant of `pairs`: its name, those that are there

    @property
    def name(self) -> str:
        return ", ".join(f"{n}={v}" for n, v in self.values) or "as it is"

    @property
    def others(self) -> tuple[tuple[str, str], ...]:
        """Without the features."""
        return tuple(v for v in self.values if self.features is None or v[0] != self.features[0])


def parse_constant(text: str) -> tuple[str, list[str]]:
    """`N=2..5`, `F=a,b,none`."""
    name, equal, rest = text.partition("=")
    name = name.strip()
    if not equal or not name or not rest.strip():
        raise BadSweep(f"`{text}` is not of the form NAME=VALUE,VALUE or NAME=LOW..HIGH")
    found: list[str] = []
    for part in split(rest):
        match = RANGE.match(part)
        if match is None:
            if not part.strip():
                raise BadSweep(f"`{text}` has an empty value")
            found.append(part.strip())
            continue
        low, high = int(match[1]), int(match[2])
        if low > high:
            raise BadSweep(f"`{text}`: the range {low}..{high} is empty")
        if high - low >= MOST:
            raise BadSweep(f"`{text}` has more than {MOST} values")
        found += [str(n) for n in range(low, high + 1)]
    return name, list(dict.fromkeys(found))


def split(text: str) -> list[str]:
    """At commas outside of braces and parentheses."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "{(") - (c in "})")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def configurations(constants: Sequence[tuple[str, list[str]]], pairs: str | None) -> list[Configuration]:
    names = [name for name, _ in constants]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise BadSweep(f"`{twice}` is given values twice")
    if pairs is not None and pairs not in names:
        raise BadSweep(f"--pairs names `{pairs}`, which has no values: add --const {pairs}=FEATURE,FEATURE")
    axes = [
        [(n, f"{{{', '.join(sorted(s))}}}", s) for s in sets(values)] if n == pairs else [(n, v, None) for v in values]
        for n, values in constants
    ]
    size = 1
    for axis in axes:
        size *= len(axis)
    if size > MOST:
        raise BadSweep(f"there are {size} configurations; more than {MOST} are not checked")
    found = []
    for chosen in product(*axes):
        features = next(((n, s) for n, _, s in chosen if s is not None), None)
        found.append(Configuration(tuple((n, v) for n, v, _ in chosen), features))
    return found


def sets(values: Sequence[str]) -> list[frozenset[str]]:
    features = [v for v in values if v != NONE]
    found: list[frozenset[str]] = [frozenset()] if NONE in values else []
    found += [frozenset({f}) for f in features]
    return found + [frozenset(two) for two in combinations(features, 2)]


@dataclass(frozen=True, slots=True)
class Interaction:
    """Each of two features alone keeps a claim, and both together do not."""

    claim: str
    features: tuple[str, str]
    constant: str
    where: tuple[tuple[str, str], ...]  # the other constants
    verdict: str


def interactions(done: dict[tuple[Configuration, str], str]) -> list[Interaction]:
    """`done`: the verdict of each configuration and claim."""
    alone: dict[tuple[str, tuple[tuple[str, str], ...], str, frozenset[str]], str] = {}
    for (c, claim), verdict in done.items():
        if c.features is not None:
            alone[claim, c.others, *c.features] = verdict
    found = []
    for (claim, others, constant, features), verdict in alone.items():
        if len(features) != 2 or verdict in ("holds", "inconclusive"):
            continue
        first, second = sorted(features)
        if all(alone.get((claim, others, constant, frozenset({f}))) == "holds" for f in (first, second)):
            found.append(Interaction(claim, (first, second), constant, others, verdict))
    return found

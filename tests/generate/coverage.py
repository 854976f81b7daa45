"""What of the language generated programs use: productions of the grammar, predefined words, library modules.

python -m tests.generate.coverage [programs] [first seed]     how often general programs use each production
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from unittest.mock import patch

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax import parser
from lfc.syntax.grammar.build import Builder
from lfc.syntax.grammar.tables import load_tables
from tests.generate.general.program import Profile, generate

# What one valid program of one module does not show: recovery from errors, environments, monitors (which
# tests/campaign/checking/monitors.py makes), marks that extend the language.
ELSEWHERE = (
    "-> error_",
    "-> external_process",
    "-> effect",
    "effects/",
    "-> fair_communication",
    "-> fairness",
    "-> variable_nonatomic",
    "-> present",
    "result/0",
    "attribute/1",
    "module/10 -> monitor",
    "beside/",
    "handlers/",
    "-> handler",
    "-> final_handler",
    "occasions/",
    "-> occasion",
)

WORD = re.compile(r"\b(?:(?:Clock|In|Out|SYSTEM)\.\w+|[A-Z]{2,}\d*)\b")
# What only puts lists together; the words say which of them there are.
PLUMBING = {"absent", "present", "second", "one_item", "new_list", "add_item", "add_before", "add_after"}


class CountingBuilder:
    """Stands between the parser and its builder. The parser looks up one method for each production, in order."""

    def __init__(self, builder: Builder, counts: Counter[int], numbers: list[int]) -> None:
        self._builder = builder
        self._counts = counts
        self._numbers = iter(numbers)

    def __getattr__(self, act: str) -> Callable[..., Any]:
        method = getattr(self._builder, act)
        number = next(self._numbers)

        def counted(*values: Any) -> Any:
            self._counts[number] += 1
            return method(*values)

        return counted


def productions() -> dict[int, str]:
    """The productions that make something, by number."""
    tables = load_tables()
    rules = enumerate(tables.rules)
    return {i: f"{tables.nonterminals[rule.lhs]}/{rule.length} -> {rule.act}" for i, rule in rules if rule.act}


def count_productions(texts: Iterable[str]) -> Counter[int]:
    counts: Counter[int] = Counter()
    numbers = sorted(productions())

    def counting(*arguments: Any) -> CountingBuilder:
        return CountingBuilder(Builder(*arguments), counts, numbers)

    with patch.object(parser, "Builder", counting):
        for text in texts:
            parser.parse_module(Source("Generated.lf", text), Diagnostics())
    return counts


def constructs(texts: Iterable[str]) -> list[str]:
    """What is used at least once: what the parser makes, and words."""
    found = list(texts)
    counts, by_number = count_productions(found), acts()
    used = {by_number[i] for i in counts if counts[i]} - PLUMBING
    return sorted(used | {word for text in found for word in WORD.findall(text)})


def acts() -> dict[int, str]:
    """What each production makes, by number."""
    return {i: name.split(" -> ")[1] for i, name in productions().items()}


def programs(first: int, count: int) -> Iterable[str]:
    for seed in range(first, first + count):
        yield generate(seed, Profile(size=3, small=seed % 3 == 0, properties=seed % 5 == 0)).text


def missing(counts: Counter[int]) -> list[str]:
    return [p for i, p in productions().items() if not counts[i] and not any(e in p for e in ELSEWHERE)]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    counts = count_productions(programs(first, count))
    for number, production in productions().items():
        print(f"{counts[number]:9d}  {production}")
    print("missing:", ", ".join(missing(counts)) or "nothing")


if __name__ == "__main__":
    main()

"""What a campaign against a second opinion counts, and how it is run from the command line."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.support.seeds import add_seed, parsed


@dataclass(slots=True)
class Result:
    compared: int = 0
    too_large: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, kinds: Iterable[str] | None) -> None:
        """Of one program; None: it was too large."""
        if kinds is None:
            self.too_large += 1
        else:
            self.compared += 1
            self.kinds.update(kinds)


def run_as_command(what: str | None, campaign: Callable[[int, int], Result], count: int) -> None:
    """`count`: of a full quota."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--count", type=int, default=count)
    add_seed(parser)
    options = parsed(parser)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared, {result.too_large} too large; {dict(result.kinds)}")
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)

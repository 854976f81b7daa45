"""Seeds. The tests have a pinned one, so that they say the same of the same source; campaigns by hand take any.

`LF_SEED=today ./test tests/campaign` runs the shares of the campaigns with another seed each day; `LF_SEED=7` with 7.
"""

from __future__ import annotations

import argparse
import os
from datetime import date

PINNED = 739_939  # any number would do; with this one every share of a campaign shows what its test asks for


def seed_number(text: str) -> int:
    """A number, or `today`: another seed each day."""
    return date.today().toordinal() if text == "today" else int(text)


def seed_of_this_run() -> int:
    """Of a run of the tests: the pinned one, or LF_SEED."""
    return seed_number(os.environ.get("LF_SEED") or str(PINNED))


def is_rotating() -> bool:
    return bool(os.environ.get("LF_SEED"))


def add_seed(parser: argparse.ArgumentParser, default: int = 1) -> None:
    """The option `--seed` of a campaign."""
    parser.add_argument("--seed", type=seed_number, default=default, help="a number, or `today`; printed at the start")


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments of a campaign, whose seed is printed: with it the same run can be had again."""
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    return options


def count_and_seed(purpose: str | None, count: int) -> argparse.Namespace:
    """The command line of a campaign, which its doc string tells: `--count`, `--seed`."""
    return parsed(add_count_and_seed(purpose, count))


def add_count_and_seed(purpose: str | None, count: int) -> argparse.ArgumentParser:
    """A campaign with these has more options."""
    parser = argparse.ArgumentParser(description=purpose, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=count)
    add_seed(parser)
    return parser

"""The seed of this run's share of the campaigns: another one every day, or LF_SEED; the command line of a campaign."""

from __future__ import annotations

import argparse
import os
from datetime import date


def seed_of_this_run() -> int:
    return int(os.environ.get("LF_SEED") or date.today().toordinal())


def count_and_seed(purpose: str | None, count: int) -> argparse.Namespace:
    """The command line of a campaign, which its doc string tells: `--count`, `--seed`."""
    parser = argparse.ArgumentParser(description=purpose, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()

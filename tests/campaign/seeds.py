"""The seed of this run's share of the campaigns: another one every day, or LF_SEED."""

from __future__ import annotations

import os
from datetime import date


def seed_of_this_run() -> int:
    return int(os.environ.get("LF_SEED") or date.today().toordinal())

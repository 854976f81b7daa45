"""Faults that are seeded into the drivers of devices: the check of the driver's example finds each.

python -m tests.campaign.checking.drivers [MODULE]...
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.library.drivers import DRIVERS, found


def main(modules: list[str]) -> int:
    missed = 0
    for driver in DRIVERS:
        if modules and driver.module not in modules:
            continue
        begin, count = time.monotonic(), 0
        for seed in driver.seeds:
            with tempfile.TemporaryDirectory() as folder:
                is_found = found(driver, seed, Path(folder))
            count += is_found
            if not is_found:
                print(f"{driver.module}: not found: {seed.name}")
        missed += len(driver.seeds) - count
        print(f"{driver.module}: {count} of {len(driver.seeds)} found, {time.monotonic() - begin:.0f} s", flush=True)
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

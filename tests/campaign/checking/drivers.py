"""Faults that are seeded into the drivers of devices: the check of the driver's example finds each.

python -m tests.campaign.checking.drivers [MODULE]...
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.library.devices import field_logger, greenhouse, modbus, motor_drive
from tests.library.drivers import DRIVERS, Seed, found
from tests.library.sentences import SEEDS, is_found


def look(module: str, seeds: tuple[Seed, ...], finds: Callable[[Seed, Path], bool]) -> int:
    """How many are not found."""
    begin, count = time.monotonic(), 0
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            one = finds(seed, Path(folder))
        count += one
        if not one:
            print(f"{module}: not found: {seed.name}")
    print(f"{module}: {count} of {len(seeds)} found, {time.monotonic() - begin:.0f} s", flush=True)
    return len(seeds) - count


def look_at_greenhouse() -> int:
    missed = 0
    for seed in greenhouse.SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            if not greenhouse.is_found(seed, Path(folder)):
                missed += 1
                print(f"{seed[0]}: not found: {seed[1]}")
    print(f"greenhouse: {len(greenhouse.SEEDS) - missed} of {len(greenhouse.SEEDS)} found", flush=True)
    return missed


def main(modules: list[str]) -> int:
    missed = 0
    for driver in DRIVERS:
        if not modules or driver.module in modules:
            missed += look(driver.module, driver.seeds, partial(found, driver))
    if not modules or "NMEA" in modules:
        missed += look("NMEA", SEEDS, is_found)
    if not modules or "Modbus" in modules:
        missed += look("Modbus", modbus.SEEDS, modbus.is_found)
    if not modules or "MotorDrive" in modules:
        missed += look("MotorDrive", motor_drive.SEEDS, motor_drive.is_found)
    if not modules or "FieldLogger" in modules:
        missed += look("FieldLogger", field_logger.SEEDS, field_logger.is_found)
    if not modules or "greenhouse" in modules:
        missed += look_at_greenhouse()
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What the products of the how-to pages cost: flash and RAM on their boards, states, and processor time to the verdict.

python -m bench.products
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.machine import machine_name

EXAMPLES = Path("examples")


@dataclass(frozen=True, slots=True)
class Product:
    name: str
    program: str  # that is flashed
    board: tuple[str, str]
    checks: tuple[tuple[str, ...], ...]


GREENHOUSE, DRIVE, LOGGER = (str(EXAMPLES / name) for name in ("greenhouse", "drive", "fieldlog"))
ORDERED = ("--time", "ordered")
PRODUCTS = (
    Product(
        "greenhouse",
        f"{GREENHOUSE}/Greenhouse.lf",
        ("--board-file", f"{GREENHOUSE}/greenhouse.toml"),
        (
            (f"{GREENHOUSE}/SettingsTest.lf", "--env", f"{GREENHOUSE}/SettingsBench.lf"),
            (f"{GREENHOUSE}/IrrigationTest.lf", "--env", f"{GREENHOUSE}/IrrigationBench.lf", *ORDERED),
        ),
    ),
    Product(
        "motor drive",
        f"{DRIVE}/MotorDriveBoard.lf",
        ("-b", "mega2560"),
        (
            (
                f"{DRIVE}/ControlTest.lf",
                *(f"-DControl.{value}" for value in ("SILENCE=2", "HIGH=2", "UP=500", "DOWN=500")),
            ),
            (f"{DRIVE}/MotorDrive.lf", "--env", f"{DRIVE}/MotorDriveBench.lf", *ORDERED),
        ),
    ),
    Product(
        "field logger",
        f"{LOGGER}/FieldLogger.lf",
        ("-b", "uno"),
        (
            (f"{LOGGER}/played/RecordsTest.lf", "--path", LOGGER, "-DRecords.LAST=7"),
            (f"{LOGGER}/played/RecordsTest.lf", "--path", LOGGER, "-DRecords.LAST=7", "-b", "uno", "--image"),
            *(
                (
                    *(f"{LOGGER}/FieldLogger.lf", "--env", f"{LOGGER}/{bench}.lf", *ORDERED),
                    *("-DRecords.SLOTS=2", "-DRecords.LAST=5", "-DFieldLogger.PERIOD=1"),
                )
                for bench in ("FieldLoggerBench", "AskedBench")
            ),
        ),
    ),
)


def run(*arguments: str) -> tuple[dict[str, object], float]:
    """Its document, and the processor time that it took."""
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-m", "lfc", *arguments, "--json"], capture_output=True, text=True, check=False
    )
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(done.stdout), used


def main() -> None:
    print(machine_name())
    for product in PRODUCTS:
        size, _ = run("size", *product.board, product.program)
        flash, ram, stack = size["flash"], size["ram"], size["stack"]
        assert isinstance(flash, dict) and isinstance(ram, dict) and isinstance(stack, dict)
        print(f"{product.name}: {flash['used']} bytes of flash, {ram['used'] + stack['deepest']} of RAM")
        for check in product.checks:
            told, seconds = run("check", *check, "--no-record")
            print(f"  {check[0]}{' with its image' if '--image' in check else ''}: {told['verdict']},", end=" ")
            print(f"{told['states']} states, {seconds:.1f} s of processor time", flush=True)


if __name__ == "__main__":
    main()

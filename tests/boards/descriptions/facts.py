"""The tables of facts of chips: facts.toml, and where those of SVD files lie."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

TABLE = tomllib.loads(Path(__file__).with_name("facts.toml").read_text())
EXTRACT = Path(__file__).with_name("svd_facts.toml")
Row = list[Any]


def rows_of(chip: dict[str, Any]) -> list[Row]:
    parent = chip.get("inherits")
    return [*(rows_of(TABLE["families"][parent]) if parent else []), *chip["facts"]]


ROWS = {name: rows_of(chip) for name, chip in TABLE["chips"].items()}

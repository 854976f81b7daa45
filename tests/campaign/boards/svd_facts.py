"""Facts of chips against their makers' SVD files, which are too large for every machine:

    git clone https://github.com/cmsis-svd/cmsis-svd-data
    python -m tests.campaign.boards.svd_facts cmsis-svd-data/data [--write]

`--write` keeps what the files say of the facts in tests/boards/descriptions/svd_facts.toml, with which each run of the
tests compares; without it the campaign says whether that is still so.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

from tests.boards.descriptions.facts import EXTRACT, ROWS, TABLE
from tests.boards.descriptions.svd import Svd, find_file

HEAD = """\
# What the chips' SVD files say of the facts in facts.toml: numbers only, by the names of peripherals, registers, fields
# (their masks) and interrupts. Written by `python -m tests.campaign.boards.svd_facts FOLDER --write`, from the files of
# cmsis-svd-data.
"""


def stated(chip: str, folders: list[Path]) -> tuple[str, dict[str, int]] | None:
    """The chip's file, and what it says of the facts that name a place in it."""
    file = find_file(TABLE["chips"][chip]["svd"], folders)
    if file is None:
        return None
    svd = Svd(file)
    found = {place: svd.value(place) for _, _, _, *places in ROWS[chip] for place in places}
    return file.name, {place: value for place, value in found.items() if value is not None}


def text_of(found: dict[str, tuple[str, dict[str, int]]]) -> str:
    tables = [
        "\n".join(
            [f"[{chip}]", f'file = "{file}"', *(f'"{place}" = {value:#x}' for place, value in values.items()), ""]
        )
        for chip, (file, values) in found.items()
    ]
    return "\n".join([HEAD, *tables])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    chips = [chip for chip in ROWS if "svd" in TABLE["chips"][chip]]
    found = {chip: said for chip in chips if (said := stated(chip, [options.folder]))}
    for chip in chips:
        print(f"{chip}: {len(found[chip][1])} facts of {found[chip][0]}" if chip in found else f"{chip}: no file")
    if options.write:
        EXTRACT.write_text(text_of(found))
        return 0
    kept = tomllib.loads(EXTRACT.read_text())
    now = tomllib.loads(text_of(found))
    different = sorted(chip for chip in now if kept[chip] | {"file": ""} != now[chip] | {"file": ""})
    for chip in different:
        print(f"{chip}: the files say something else than {EXTRACT.name}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

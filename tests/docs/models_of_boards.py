"""Which models of devices there are for which boards. `python -m tests.docs.models_of_boards` prints the table that the
page on models has.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lfc.base.library_folder import LIBRARY
from lfc.boards.descriptions.board import board_names, load_board
from lfc.front_end.chip_modules import chip_modules
from lfc.semantics.modules import ChipModules

HERE = "this machine"
INNER = (  # parts of models
    *("EnvBanks", "EnvByte", "EnvCells", "EnvEvents", "EnvKept", "EnvLevels", "EnvPages", "EnvSample"),
    "EnvVoltages",
)
IMPORTS = re.compile(r"^IMPORT ([^;]*);", re.M)


def models() -> list[str]:
    return sorted(f.stem for f in (LIBRARY / "models").glob("Env*.lf") if f.stem not in INNER)


@cache
def imported_by(file: Path) -> list[str]:
    found = IMPORTS.search(file.read_text(encoding="utf-8"))
    return [] if found is None else [name.split(":=")[-1].strip() for name in found[1].split(",")]


def is_there(module: str, chip: ChipModules, seen: set[str]) -> bool:
    """The module, and all that it imports."""
    if module in seen or module in ("SYSTEM", "Clock", "ThisBoard"):
        return True
    seen.add(module)
    folders = [*chip.folders, LIBRARY, LIBRARY / "models", LIBRARY / "devices"]
    file = next((f for folder in folders if (f := folder / f"{module}.lf").is_file()), None)
    return file is not None and all(is_there(name, chip, seen) for name in imported_by(file))


def models_of(board: str) -> list[str]:
    chip = chip_modules(None if board == HERE else load_board(board))
    return [m for m in models() if is_there(m, chip, set())]


def table() -> str:
    """A row for each set of models, so that boards that have the same share it."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for board in [HERE, *board_names()]:
        rows.setdefault(tuple(models_of(board)), []).append(board)
    lines = ["| boards | models |", "| --- | --- |"]
    for found, boards in rows.items():
        named = ", ".join(b if b == HERE else f"`{b}`" for b in boards)
        missing = [m for m in models() if m not in found]
        what = "all" if not missing else ", ".join(f"`{m}`" for m in found)
        if missing and len(missing) < len(found):
            what = f"all but {', '.join(f'`{m}`' for m in missing)}"
        lines.append(f"| {named} | {what} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())

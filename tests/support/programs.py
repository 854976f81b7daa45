"""Runs the front end over programs in the tests: files, folders of modules, and fences in Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.render_text import render_text
from lfc.front_end.chip_modules import chip_modules
from lfc.front_end.load import load_program
from lfc.semantics.model.typed import Program

_FILE_MARK = re.compile(r"^\(\* FILE ([\w/.]+) \*\)\n", re.MULTILINE)
_BOARD = re.compile(r"\(\* Board: (\w+) \*\)\n")  # at the beginning of a program that is about one
_ENVIRONMENT = re.compile(r"^\s*(?:ENVIRONMENT\s+MODULE|MONITOR)\b", re.MULTILINE)  # what stands around a program


@dataclass(slots=True)
class Case:
    """A program of the corpus: one file, or a folder with `Main.lf` and the modules that it imports."""

    name: str
    main: Path

    @property
    def expected(self) -> Path:
        where = self.main.parent if self.main.name == "Main.lf" else self.main
        return where.with_name(where.name + ".expected") if where.is_dir() else where.with_suffix(".expected")

    @property
    def files(self) -> list[Path]:
        return sorted(self.main.parent.glob("*.lf")) if self.main.name == "Main.lf" else [self.main]

    @property
    def environments(self) -> list[Path]:
        others = [f for f in self.files if f != self.main]
        return [f for f in others if _ENVIRONMENT.search(f.read_text(encoding="utf-8", errors="replace"))]


def cases_in(folder: Path) -> list[Case]:
    single = [Case(f.stem, f) for f in folder.glob("*.lf")]
    several = [Case(f.parent.name, f) for f in folder.glob("*/Main.lf")]
    return sorted(single + several, key=lambda c: c.name)


def check(main: Path, environments: list[Path]) -> tuple[Program | None, Diagnostics]:
    """As `lfc check --syntax-only` does, for the board that the first line names."""
    diagnostics = Diagnostics()
    board = _BOARD.match(main.read_text(encoding="utf-8", errors="replace"))
    chip = chip_modules(load_board(board[1]) if board else None)
    program = load_program(main, diagnostics, environments=environments, chip=chip)
    if program is not None and not diagnostics.has_errors:
        build_machine(program, diagnostics)
    return program, diagnostics


def rendered(diagnostics: Diagnostics, base: Path) -> str:
    """As text, with file names relative to a folder, so that it is the same on every machine."""
    for source in {id(s): s for s in sources_of(diagnostics)}.values():
        source.path = source.path.removeprefix(f"{base}/")
    return render_text(diagnostics, width=120) + "\n"


def sources_of(diagnostics: Diagnostics) -> list[Source]:
    spans = [d.span for d in diagnostics.items]
    spans += [n.span for d in diagnostics.items for n in d.notes if n.span is not None]
    spans += [d.fix.span for d in diagnostics.items if d.fix is not None]
    return [s.source for s in spans]


def write_program(text: str, folder: Path) -> Case:
    """A fence of a page, as files: what comes before the first `(* FILE Name.lf *)` is the main module."""
    pieces = _FILE_MARK.split(text)
    main = folder / f"{_module_name(pieces[0])}.lf"
    main.write_text(pieces[0], encoding="utf-8")
    for name, content in zip(pieces[1::2], pieces[2::2], strict=True):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return Case(main.stem, main)


def environments_beside(main: Path) -> list[Path]:
    others = sorted(f for f in main.parent.glob("*.lf") if f != main)
    return [f for f in others if _ENVIRONMENT.search(f.read_text(encoding="utf-8"))]


def _module_name(text: str) -> str:
    found = re.search(r"\b(?:MODULE|MONITOR)\s+(\w+)", text)
    return found[1] if found else "Main"

"""Finds and reads the modules that a program imports.

A module is looked for in the folder of the file that imports it, in the `--path` folders, and in the library; last
among what stands for the chip.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lfc.base.library_folder import LIBRARY, LIBRARY_FOLDERS
from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Note, Severity
from lfc.diagnostics.reading import read_source
from lfc.diagnostics.trail import note_absent, note_read
from lfc.semantics.names.universe import PSEUDO_MODULES
from lfc.semantics.names.unknown_names import did_you_mean
from lfc.syntax.grammar import tree
from lfc.syntax.parser import parse_module

CHIPS = LIBRARY / "chips"


def is_of_library(source: Source) -> bool:
    """Also what is made of a board's description."""
    return Path(source.path).is_relative_to(LIBRARY)


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What is checked of a program for a board."""

    name: str  # of the board
    chip: str
    pins: frozenset[int]  # as GPIO numbers them
    pins_told: str  # which ones these are, as a programmer writes them
    registers: tuple[tuple[int, int], ...]  # where devices may lie: first and last address


@dataclass(frozen=True, slots=True)
class ChipModules:
    """The modules below the library's drivers: what differs from chip to chip and from board to board."""

    folders: tuple[Path, ...]
    texts: Mapping[str, str] = field(default_factory=dict)  # by file name: those that are made of a board's description
    board: BoardFacts | None = None  # None: this machine
    lacking: Mapping[str, str] = field(default_factory=dict)  # modules that the chip has not, by name, and why


HOST = ChipModules((CHIPS / "host",))


@dataclass(slots=True)
class Parsed:
    module: tree.Module
    complete: bool  # without errors of syntax


@dataclass(slots=True)
class Finder:
    diagnostics: Diagnostics
    path: Sequence[Path] = ()
    texts: Mapping[str, str] = field(default_factory=dict)  # modules that are in no file, by file name: for tests
    chip: ChipModules = HOST
    instead: Mapping[str, Source] = field(default_factory=dict)  # by path: these texts, whatever the files hold
    modules: Mapping[str, Source] = field(default_factory=dict)  # by name: they are not looked for in files

    def parse(self, source: Source) -> Parsed:
        before = len(self.diagnostics.items)
        module = parse_module(source, self.diagnostics)
        errors = any(d.severity is Severity.ERROR for d in self.diagnostics.items[before:])
        return Parsed(module, not errors)

    def find(self, name: str, importer: Source) -> Source | None:
        """None if there is no such file; what is wrong with one that is there has been reported."""
        if name in self.modules:
            return self.modules[name]
        for file_name in dict.fromkeys((f"{name}.lf", f"{name.lower()}.lf")):
            if file_name in self.texts:
                return Source(file_name, self.texts[file_name])
        for folder in self.folders(importer):
            for file_name in dict.fromkeys((f"{name}.lf", f"{name.lower()}.lf")):
                file = folder / file_name
                if str(file) in self.instead:
                    return self.instead[str(file)]
                if os.path.lexists(file):  # a folder or a broken link too: reading says what is wrong with it
                    return read_source(file, self.diagnostics)
                note_absent(str(file))
        if f"{name}.lf" in self.chip.texts:
            return Source(str(LIBRARY / f"{name}.lf"), self.chip.texts[f"{name}.lf"])
        return None

    def exists(self, name: str, importer: Source) -> bool:
        """Whether an import of this name would find something."""
        if name in PSEUDO_MODULES or f"{name}.lf" in self.texts or f"{name}.lf" in self.chip.texts:
            return True
        note_read(name, None)  # only to say more of a name that nothing declares
        try:
            return any((folder / f"{name}.lf").is_file() for folder in self.folders(importer))
        except (OSError, ValueError):
            return False

    def folders(self, importer: Source) -> list[Path]:
        own = [] if importer.path.startswith("<") else [Path(importer.path).parent]
        return [*own, *self.path, *LIBRARY_FOLDERS, *self.chip.folders]

    def report_missing(self, name: str, span: Span, importer: Source) -> None:
        if name in self.chip.lacking:
            self.diagnostics.report("LF0305", span, f"there is no module `{name}`: {self.chip.lacking[name]}")
            return
        known = [*PSEUDO_MODULES]
        known += [n.removesuffix(".lf") for n in self.texts]
        for folder in self.folders(importer):
            try:
                known += sorted(p.stem for p in folder.glob("*.lf"))
            except OSError:
                continue
        hint, fix = did_you_mean(name, known, span)
        searched = ["the folder of this file", *(f"`{p}`" for p in self.path), "the library"]
        note = Note(
            f"looked for `{name}.lf` in {', '.join(searched[:-1])} and {searched[-1]}; `--path DIR` adds a folder"
        )
        self.diagnostics.report("LF0305", span, f"there is no module `{name}`{hint}", note, fix=fix)

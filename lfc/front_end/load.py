"""The whole front end as one call: from a file to a typed program with its warnings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from lfc.base.library_folder import LIBRARY_FOLDERS
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.reading import read_source
from lfc.front_end.static_checks import run_checks
from lfc.semantics.analyse import analyse
from lfc.semantics.model.typed import Program
from lfc.semantics.modules import HOST, ChipModules
from lfc.semantics.names.occurrences import Occurrences


def load_program(
    file: str | Path,
    diagnostics: Diagnostics,
    *,
    path: Sequence[str | Path] = (),
    environments: Sequence[str | Path] = (),
    chip: ChipModules = HOST,
    definitions: Mapping[str, str] | None = None,
) -> Program | None:
    """Reads, parses, types and checks a program; None after errors that leave nothing to go on with. `definitions`:
    other values of constants, by `NAME` or `Module.NAME`."""
    main = read_source(file, diagnostics)
    around = read_environments(environments, diagnostics, chip)
    if main is None or around is None:
        return None
    return check_source(main, diagnostics, path=path, environments=around, chip=chip, definitions=definitions)


def read_environments(
    environments: Sequence[str | Path], diagnostics: Diagnostics, chip: ChipModules
) -> list[Source] | None:
    """None after errors."""
    read = [read_source(_environment_file(e, chip), diagnostics) for e in environments]
    return None if None in read else [e for e in read if e is not None]


def _environment_file(given: str | Path, chip: ChipModules) -> str | Path:
    """A name such as `EnvGPIO` is a file of that name, or else a module of the library."""
    name = str(given)
    if not name.isidentifier() or os.path.lexists(name):
        return given
    files = [folder / f"{name}.lf" for folder in (Path(), *LIBRARY_FOLDERS, *chip.folders)]
    return next((file for file in files if file.is_file()), given)


def check_source(
    main: Source,
    diagnostics: Diagnostics,
    *,
    path: Sequence[str | Path] = (),
    environments: Sequence[Source] = (),
    chip: ChipModules = HOST,
    instead: Sequence[Source] = (),
    modules: Mapping[str, Source] | None = None,
    definitions: Mapping[str, str] | None = None,
    occurrences: Occurrences | None = None,
) -> Program | None:
    """Parses, types and checks a program that has been read. `instead`: of files, for modules that are imported.
    `modules`: those that are not looked for in files, by their names. `occurrences` takes what each name stands for."""
    folders = [Path(p) for p in path]
    program = analyse(
        main,
        diagnostics,
        path=folders,
        environments=list(environments),
        chip=chip,
        instead=list(instead),
        modules=modules or {},
        definitions=definitions or {},
        occurrences=occurrences,
    )
    if program is not None and not diagnostics.has_errors:
        run_checks(program, diagnostics, chip.board)
    return program

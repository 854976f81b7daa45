"""What `lfc check` writes besides its verdict: the record of this very image."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.common.firmware import chosen_faults
from lfc.cli.common.project import find_project

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.mcheck.request.request import Request
    from lfc.mcheck.result.result import CheckResult
    from lfc.records.record import CheckRecord
    from lfc.records.store import Stored


@dataclass(slots=True)
class Recording:
    """How the image is built that the record is about, and who signs."""

    board: Board
    scheduler: str
    faults: str
    on_fault: str
    safe: tuple[str, ...]
    c_files: tuple[str, ...]
    key: str | None


def home_folder() -> Path:
    """Whose `.lf` the records are in: the project's folder, else the working directory, where images go too."""
    project = find_project()
    return project.folder if project is not None else Path.cwd()


def refuse_bad_key(key: str | None) -> None:
    """Before a long search, not after it."""
    if key is not None:
        from lfc.doctor.probe import require_tool

        require_tool("ssh-keygen")
        if not Path(key).is_file():
            raise click.UsageError(f"--sign: there is no key {key}.")


def record_check(
    file: str,
    machine: Machine,
    recording: Recording,
    request: Request,
    path: tuple[str, ...],
    env: tuple[str, ...],
    result: CheckResult,
) -> Stored | None:
    """None: there is none, and it was said why."""
    from lfc.records.signing import SigningError, sign_statement
    from lfc.records.statement import statement_of
    from lfc.records.store import records_folder, with_image_check, write_record
    from lfc.toolchain.failure import ImageError

    try:
        folder = records_folder(home_folder())
        record = with_image_check(folder, made_record(file, machine, recording, request, path, env, result))
        signed = None if recording.key is None else sign_statement(statement_of(record), Path(recording.key))
        return write_record(folder, record, signed)
    except ImageError as error:
        why = [error.message, *error.detail.splitlines()]
    except OSError as error:
        why = [f"{error.filename}: {error.strerror}"]
    except SigningError as error:
        raise click.ClickException(f"{error}.") from None
    print(f"no record is written: {why[0]}", *(f"  {line}" for line in why[1:]), sep="\n", file=sys.stderr)
    return None


def made_record(
    file: str,
    machine: Machine,
    r: Recording,
    request: Request,
    path: tuple[str, ...],
    env: tuple[str, ...],
    result: CheckResult,
) -> CheckRecord:
    """Raises ImageError, OSError."""
    from lfc.actions.as_data import program_digest
    from lfc.cli.common.machine import load_machine
    from lfc.image.firmware import build_firmware
    from lfc.records.making import digests_of_files, record_of
    from lfc.records.record import Build
    from lfc.toolchain.failure import ImageError

    # The image is that of `lfc build`, without the environment.
    alone = load_machine(file, path, (), with_environment=False, board=r.board) if env else machine
    if alone is not machine and program_digest(alone) != program_digest(machine):
        raise ImageError(f"{file} changed in the meantime")
    if machine.program.counts_wraps:  # where nothing wraps, it does what was checked
        alone = load_machine(file, path, (), with_environment=False, board=r.board, as_built=True)
    build = Build(r.scheduler, r.faults, r.on_fault, r.safe, digests_of_files(r.c_files))
    if request.image is not None and request.image.firmware.generated.machine is alone:  # executed, and built alike
        firmware = request.image.firmware
    else:
        faults = chosen_faults(r.board, r.faults, r.on_fault, r.safe)
        firmware = build_firmware(r.board, alone, r.scheduler, faults=faults, c_files=r.c_files)
    return record_of(machine, r.board, firmware, build, request, result)


def shown_path(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)

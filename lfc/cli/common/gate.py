"""The gate of `lfc flash`: an image goes to a board if a record vouches for it, or if somebody answers for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lfc.cli.common.output import counted, current_output
from lfc.cli.common.project import Project, find_project
from lfc.cli.common.recording import home_folder, shown_path
from lfc.records.demand import PROOF, Demand, Level

if TYPE_CHECKING:
    from lfc.records.gate import Candidate, Decision
    from lfc.records.record import CheckRecord
    from lfc.records.store import Stored

F = TypeVar("F", bound=Callable[..., Any])


def gate_options(command: F) -> F:
    """Adds the parameters `require_checked`, `force` and `trusted`."""
    required = click.option(
        "--require-checked/--no-require-checked",
        default=None,
        help="Refuse an image that `lfc check -b` has not proved right (else as lf.toml says).",
    )
    force = click.option("--force", is_flag=True, help="Flash it anyway; this is logged.")
    trusted = click.option(
        "--trusted", metavar="KEYS", help="Refuse an image whose check is not signed with one of these keys (SSH)."
    )
    return required(force(trusted(command)))


@dataclass(slots=True)
class Permit:
    """What lets an image pass. It notes what becomes of it, where somebody will look for that."""

    image: str
    board: str
    record: str | None
    forced: bool
    noted: bool
    home: Path

    def note(self, event: str, **told: object) -> None:
        """Raises OSError."""
        from lfc.records.store import note_flash

        if self.noted:
            entry = {"image": self.image, "board": self.board, "record": self.record, "forced": self.forced}
            note_flash(self.home, {"event": event, **entry, **told})

    def note_if_possible(self, event: str, **told: object) -> None:
        try:
            self.note(event, **told)
        except OSError as error:
            print(f"lfc: warning: {error.filename} cannot be written: {error.strerror}", file=sys.stderr)

    @property
    def told(self) -> dict[str, object]:
        return {"image": self.image, "record": self.record, "forced": self.forced}


def pass_gate(
    candidate: Candidate, file: str, required: bool | None, force: bool, trusted: str | None, command: str
) -> Permit:
    """`command`: the check that would open it. Raises FlashError, stage `check`."""
    from lfc.boards.serial.failure import FlashError
    from lfc.records.gate import decide
    from lfc.records.store import records_folder

    project = find_project()
    home = home_folder()
    keys = Path(trusted) if trusted is not None else project.trusted if project is not None else None
    demand = what_is_demanded(required, trusted, project)
    decision = decide(candidate, [records_folder(home), records_folder(Path(file).parent)], keys, demand)
    stored = decision.opened_by
    permit = Permit(candidate.image, candidate.board, None, False, project is not None or force, home)
    if stored is not None:
        permit.record = stored.path.name
        tell("; ".join([what_was_found(stored.record), *conditions(stored, decision)]))
        return permit
    why = "; ".join(decision.objections)
    must = demand.level is not Level.NONE or decision.blocked
    if not must and not force:
        tell(f"this image has no valid check: {why}")
        return permit
    remedy = f"`{command}` checks it; --force flashes it anyway, which is logged"
    if not force:
        raise FlashError("check", f"this image has no valid check: {why}", remedy=remedy)
    permit.forced = True
    try:
        permit.note("forced", objections=decision.objections)
    except OSError as error:
        name, why_not = error.filename, error.strerror
        raise click.ClickException(f"{name}, the log of --force, cannot be written: {why_not}") from None
    tell(f"forced, although this image has no valid check: {why}")
    return permit


def what_is_demanded(required: bool | None, trusted: str | None, project: Project | None) -> Demand:
    """Whoever names keys on the command line wants a proof that they have signed, whatever a project says."""
    if required is False and trusted is not None:
        raise click.UsageError(
            "--trusted asks for a check, --no-require-checked for none. (--force flashes anyway, which is logged.)"
        )
    if required or trusted is not None:
        return PROOF
    return project.demand if required is None and project is not None else Demand(Level.NONE)


def what_was_found(record: CheckRecord) -> str:
    """Without a proof, also what was not shown."""
    searched = counted(record.states, "state")
    if not record.unproved:
        return f"checked: holds, {searched}"
    return f"checked: no error found in {searched}, {record.seconds:.1f} s; not shown: {', '.join(record.unproved)}"


def conditions(stored: Stored, decision: Decision) -> list[str]:
    record = stored.record
    found = [f"under {', '.join(record.scope.environment)}"] if record.scope.environment else []
    found += [f"assuming: {'; '.join(record.assumptions)}"] if record.assumptions else []
    if record.image_checked is not None and record.image_checked.get("verdict") == "agrees":
        found.append("its machine code agrees with the program in every state")
    found += [f"resumed from a checkpoint ({record.resumed})"] if record.resumed else []
    found += [f"signed by {decision.signer}"] if decision.signer else []
    return [*found, f"record {shown_path(stored.path)}"]


def tell(line: str) -> None:
    if current_output().form == "text":
        print(line, file=sys.stderr)

"""The gate of `lfc flash`: an image goes to a board if a record vouches for it, or if somebody answers for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lfc.cli.common.output import counted, current_output
from lfc.cli.common.project import Project, find_project
from lfc.cli.common.recording import home_folder, shown_path
from lfc.diagnostics.visible import visible
from lfc.records.demand import PROOF, Demand, Level

if TYPE_CHECKING:
    from lfc.records.gate import Candidate, Decision, Trust
    from lfc.records.record import CheckRecord
    from lfc.records.store import Stored

F = TypeVar("F", bound=Callable[..., Any])


def gate_options(command: F) -> F:
    """Adds the parameters `require_checked`, `force`, `trusted` and `policy`."""
    required = click.option(
        "--require-checked/--no-require-checked",
        default=None,
        help="Refuse an image that `lfc check -b` has not proved right (else as lf.toml says).",
    )
    force = click.option("--force", is_flag=True, help="Flash it anyway; this is logged.")
    trusted = click.option(
        "--trusted", metavar="KEYS", help="Refuse an image whose check is not signed with one of these keys (SSH)."
    )
    policy = click.option(
        "--policy", metavar="FILE", help="Refuse what this policy does not allow (TOML); with --trusted it is signed."
    )
    return required(force(trusted(policy(command))))


@dataclass(frozen=True, slots=True)
class Asked:
    """On the command line."""

    required: bool | None
    force: bool
    trusted: str | None
    policy: str | None = None


@dataclass(slots=True)
class Permit:
    """What lets an image pass. It notes what becomes of it, where somebody will look for that."""

    image: str
    board: str
    record: str | None
    forced: bool
    noted: bool
    home: Path
    more: dict[str, object] = field(default_factory=dict)

    def note(self, event: str, **told: object) -> None:
        """Raises OSError."""
        from lfc.records.store import note_flash

        if self.noted:
            entry = {"image": self.image, "board": self.board, "record": self.record, "forced": self.forced} | self.more
            note_flash(self.home, {"event": event, **entry, **told})

    def note_if_possible(self, event: str, **told: object) -> None:
        try:
            self.note(event, **told)
        except OSError as error:
            print(f"lfc: warning: {error.filename} cannot be written: {error.strerror}", file=sys.stderr)

    @property
    def told(self) -> dict[str, object]:
        return {"image": self.image, "record": self.record, "forced": self.forced}


def pass_gate(candidate: Candidate, file: str, asked: Asked, command: str) -> Permit:
    """`command`: the check that would open it. Raises FlashError, stage `check`."""
    from lfc.boards.serial.failure import FlashError
    from lfc.records.gate import decide

    project = find_project()
    home = home_folder()
    demand = what_is_demanded(asked.required, asked.trusted or asked.policy, project)
    trust = whose_records_count(asked, project, home, Path(file).parent)
    demand = demand if trust.policy is None else trust.policy.demand
    decision = decide(candidate, trust, demand)
    stored, force = decision.opened_by, asked.force
    is_noted = project is not None or force or trust.policy is not None
    permit = Permit(candidate.image, candidate.board, None, False, is_noted, home)
    if trust.policy is not None:
        permit.more["policy"] = trust.policy.digest
    if stored is not None:
        permit.record = stored.path.name
        permit.more |= {"file": stored.record.file, "checked_at": stored.record.checked_at}
        tell("; ".join([what_was_found(stored.record), *conditions(stored, decision, asked.policy)]))
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


def whose_records_count(asked: Asked, project: Project | None, home: Path, beside: Path) -> Trust:
    """Keys of the command line, else of the policy, else of the project. A policy is signed by those of the command
    line, if there are any: then its own say whose records count. Raises FlashError, stage `check`."""
    from lfc.boards.serial.failure import FlashError
    from lfc.records.gate import Trust
    from lfc.records.policy import BadPolicy, read_policy
    from lfc.records.signing import OF_POLICY, Keys, SigningError, signature_beside, verified
    from lfc.records.store import SIGNATURE, flashed_before, own_folder, records_folder

    listed = asked.trusted if asked.trusted is not None else project.trusted if project is not None else None
    own, others = (records_folder(home),), (records_folder(beside),)
    try:
        own_folder(own[0])
        if asked.policy is None:
            return Trust(own, others, None if listed is None else Keys.of_file(Path(listed)))
        policy, content = read_policy(Path(asked.policy))
        if asked.trusted is not None:
            signature = signature_beside(Path(asked.policy + SIGNATURE))
            verified(content, signature, Keys.of_file(Path(asked.trusted)), OF_POLICY)
        return Trust(own, others, policy.keys, policy, flashed=tuple(flashed_before(home)))
    except BadPolicy as error:
        raise click.UsageError(f"{error}.") from None
    except SigningError as error:
        of = "" if asked.policy is None else f"the policy {asked.policy}: "
        raise FlashError("check", f"{of}{error}", remedy="name the file of keys with --trusted") from None
    except OSError as error:
        raise FlashError("check", f"{error.filename}: {error.strerror}", remedy="make it readable") from None


def what_is_demanded(required: bool | None, trusted: str | None, project: Project | None) -> Demand:
    """Whoever names keys or a policy on the command line wants a proof, whatever a project says."""
    if required is False and trusted is not None:
        raise click.UsageError(
            "--trusted and --policy ask for a check, --no-require-checked for none. (--force flashes anyway, which is "
            "logged.)"
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


def conditions(stored: Stored, decision: Decision, policy: str | None) -> list[str]:
    record = stored.record
    found = [f"under {', '.join(record.scope.environment)}"] if record.scope.environment else []
    found += [f"assuming: {'; '.join(record.assumptions)}"] if record.assumptions else []
    if record.image_checked is not None and record.image_checked.get("verdict") == "agrees":
        where = " that its environment leads to" * bool(record.scope.environment)
        found.append(f"its machine code agrees with the program in every state{where}")
    found += [f"resumed from a checkpoint ({record.resumed})"] if record.resumed else []
    found += [f"signed by {decision.signer}"] if decision.signer else []
    found += [f"as {policy} demands"] if policy else []
    return [*found, f"record {shown_path(stored.path)}"]


def tell(line: str) -> None:
    if current_output().form == "text":
        print(visible(line), file=sys.stderr)

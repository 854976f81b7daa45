"""`lfc record`: shows and signs the records of checks."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import find_project
from lfc.cli.common.recording import home_folder, refuse_bad_key, shown_path
from lfc.diagnostics.visible import visible
from lfc.records.demand import PROOF

if TYPE_CHECKING:
    from lfc.records.store import Stored


@click.group("record", short_help="Show and sign the records of checks.")
def command() -> None:
    """Records of checks, which `lfc check FILE -b BOARD` writes and `lfc flash` requires."""


@command.command("show")
@click.argument("what", required=False, metavar="[RECORD|IMAGE]")
@click.option("--trusted", metavar="KEYS", help="Report which of these SSH public keys signed it.")
@output_options
def show_command(what: str | None, trusted: str | None) -> None:
    """Show a record: its file, an image (ELF, HEX, BIN, UF2, ESP), the start of an image's digest; or all that exist.

    Exits with 6 if there is none, or if none of them lets `lfc flash` pass.
    """
    from dataclasses import asdict

    from lfc.records.signing import Keys, SigningError, who_signed

    project = find_project()
    demand = project.demand if project is not None else PROOF
    listed = Path(trusted) if trusted is not None else project.trusted if project is not None else None
    found = records_named(what)
    documents, good = [], False
    for stored in found:
        objections = stored.record.objections(demand)
        signer = None
        if listed is not None:
            try:
                signer = who_signed(stored, Keys.of_file(listed))
            except SigningError as error:
                objections.append(str(error))
        good = good or not objections
        documents.append(
            {"file": shown_path(stored.path), "opens": not objections, "objections": objections, "signer": signer}
            | {"signed": stored.is_signed, "record": asdict(stored.record)}
        )
        if current_output().form == "text":
            signed = f"by {signer}" if signer else "by an unknown key" if stored.is_signed else ""
            print(*map(visible, lines_of(stored, objections, signed)), sep="\n")
    if current_output().form == "json":
        current_output().document(json.dumps({"version": 1, "records": documents}, indent=1))
    elif not found:
        print(f"there is no record{f' of {what}' if what else ''}", file=sys.stderr)
    raise click.exceptions.Exit(Exit.OK if good else Exit.INCONCLUSIVE)


@command.command("sign")
@click.argument("record", metavar="RECORD")
@click.argument("key", metavar="KEY")
@output_options
def sign_command(record: str, key: str) -> None:
    """Sign the record in the file RECORD with an SSH key. The signer need not be the one who ran the check.

    RECORD may be a policy (.toml), too; its signature lies beside it, with .sig behind its name.
    """
    from lfc.records.record import BadRecord
    from lfc.records.signing import SigningError, sign_statement
    from lfc.records.statement import statement_of
    from lfc.records.store import load_stored, write_whole

    refuse_bad_key(key)
    if record.endswith(".toml"):
        sign_policy(Path(record), Path(key))
        return
    try:
        stored = load_stored(Path(record))
        write_whole(stored.path, sign_statement(statement_of(stored.record), Path(key)))
        stored.signature.unlink(missing_ok=True)
    except OSError as error:
        raise click.UsageError(f"{error.filename}: {error.strerror}.") from None
    except (BadRecord, SigningError) as error:
        raise click.UsageError(f"{record}: {error}.") from None
    print(f"signed: {shown_path(stored.path)}", file=sys.stderr)


@command.command("attest")
@click.argument("record", metavar="RECORD")
@click.option(
    "--as",
    "kind",
    type=click.Choice(["svr", "slsa"]),
    default="svr",
    help="svr: what was verified, as words; slsa: what the image was built from (svr).",
)
@click.option("--sign", "key", metavar="KEY", help="Sign it with an SSH key.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), metavar="FILE", help="Write to FILE.")
@output_options
def attest_command(record: str, kind: str, key: str | None, output: str | None) -> None:
    """Say what the record in the file RECORD says, in a form that policy engines know (in-toto statements).

    svr is a Simple Verification Result, slsa the provenance of the build; unless it is signed, a bare statement.
    """
    from lfc.cli.common.trace_files import write_text
    from lfc.records.predicates import provenance, verification
    from lfc.records.record import BadRecord
    from lfc.records.signing import SigningError, sign_statement
    from lfc.records.store import load_stored

    refuse_bad_key(key)
    try:
        found = load_stored(Path(record)).record
        made = provenance(found) if kind == "slsa" else verification(found, found.objections())
        content = made if key is None else sign_statement(made, Path(key))
    except OSError as error:
        raise click.UsageError(f"{record} cannot be read: {error.strerror}.") from None
    except (BadRecord, SigningError) as error:
        raise click.UsageError(f"{record}: {error}.") from None
    if output is None:
        print(content.decode(), end="")
    else:
        write_text(output, content.decode())


def sign_policy(policy: Path, key: Path) -> None:
    """The signature lies beside it."""
    from lfc.records.policy import BadPolicy, read_policy
    from lfc.records.signing import OF_POLICY, SigningError, sign
    from lfc.records.store import SIGNATURE, write_whole

    beside = policy.with_name(policy.name + SIGNATURE)
    try:
        write_whole(beside, sign(read_policy(policy)[1], key, OF_POLICY))
    except OSError as error:
        raise click.UsageError(f"{error.filename}: {error.strerror}.") from None
    except (BadPolicy, SigningError) as error:
        raise click.UsageError(f"{error}.") from None
    print(f"signed: {shown_path(beside)}", file=sys.stderr)


def records_named(what: str | None) -> list[Stored]:
    from lfc.image.digest import flash_digest
    from lfc.image.read_files import SUFFIXES, read_image_file
    from lfc.records.record import BadRecord
    from lfc.records.store import all_records, load_stored, records_folder
    from lfc.toolchain.failure import ImageError

    folder = records_folder(home_folder())
    if what is None:
        return all_records([folder])
    path = Path(what)
    if path.suffix == ".json":
        try:
            return [load_stored(path)]
        except OSError as error:
            raise click.UsageError(f"{what} cannot be read: {error.strerror}.") from None
        except BadRecord as error:
            raise click.UsageError(f"{what}: {error}.") from None
    if path.suffix not in SUFFIXES:
        return [s for s in all_records([folder]) if s.record.image.startswith(what.lower())]
    there = all_records([folder, records_folder(path.parent)])
    try:
        images = {flash_digest(read_image_file(path, start).flash) for start in starts(path, there)}
    except ImageError as error:
        raise click.UsageError(f"{error.message}.") from None
    return [s for s in there if any(s.record.is_of(image) for image in images)]


def starts(path: Path, there: list[Stored]) -> set[int]:
    """Where a plain binary may lie: it does not say for which board it is."""
    from lfc.boards.descriptions.board import board_names, load_board

    if path.suffix != ".bin":
        return {0}
    return {load_board(s.record.board).flash.start for s in there if s.record.board in board_names()}


def lines_of(stored: Stored, objections: list[str], signed: str) -> list[str]:
    r = stored.record
    verdict = r.verdict + (f": {r.reason}" if r.reason else "")
    built = [f"scheduler {r.build.scheduler}", f"faults as {r.build.faults}", f"then {r.build.on_fault}"]
    built += [f"safe {s}" for s in r.build.safe] + [f"with {c}" for c in r.build.c_files]
    lines = [
        f"{shown_path(stored.path)}: {r.file} on {r.board}: {verdict}",
        f"  image      {r.image}",
        f"  program    {r.program}",
        f"  built      {', '.join(built)}",
        f"  searched   {r.states} states, {r.transitions} transitions, {r.seconds:.1f} s, {r.checked_at}",
    ]
    lines += [f"  resumed    from a checkpoint, {r.resumed}"] if r.resumed else []
    lines += [f"  error      {e}" for e in r.errors]
    lines += [f"  property   {name}: {v}" for name, v in r.properties.items()]
    lines += [f"  left out   {name}" for name in r.scope.left_out]
    lines += [f"  under      {name} ({digest[:16]})" for name, digest in r.scope.environment.items()]
    lines += [f"  assuming   {a}" for a in r.assumptions]
    lines += [f"  toolchain  {', '.join(f'{k} {v}' for k, v in r.toolchain.items())}"]
    checked = "its machine code was not executed" if r.image_checked is None else image_line(r.image_checked)
    lines += [f"  the image  {checked}", f"  signed     {signed or 'no'}"]
    return lines + [f"  does not open the gate: {o}" for o in objections]


def image_line(told: dict[str, object]) -> str:
    executed = f"executed {told.get('executions')} times in {told.get('states')} states"
    return f"{told.get('verdict')} with the program; {executed}, {told.get('executed')} of {told.get('bytes')} bytes"

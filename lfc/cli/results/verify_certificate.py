"""`lfc verify-certificate`: validate evidence that a property holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output
from lfc.cli.common.sources import source_options

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine


@click.command("verify-certificate", short_help="Validate evidence that a property holds.")
@click.argument("file", metavar="FILE")
@click.argument("certificate", metavar="CERTIFICATE")
@click.option("--questions", metavar="FOLDER", help="Write what the solver is asked here, as SMT-LIB 2.")
@source_options
def command(file: str, certificate: str, questions: str | None, path: tuple[str, ...], env: tuple[str, ...]) -> None:
    """Validate a certificate that `lfc check --certificate` wrote for this program.

    That of a formula is compared with the program action by action, by code that shares nothing with the checker. That
    of an invariant (`--data symbolic`) is compared with one step from each of its boxes.
    """
    from lfc.certificates.files import BadCertificate, document_of
    from lfc.certificates.invariants.form import FORMAT
    from lfc.external.calls import external_calls

    machine = load_machine(file, path, env, with_environment=bool(env))
    try:
        document = document_of(Path(certificate))
        lines = (
            of_invariant(machine, document, questions)
            if document.get("format") == FORMAT
            else of_formula(machine, document)
        )
    except OSError as error:
        current_output().fail(f"lfc: {certificate} cannot be read: {error.strerror}")
        raise click.exceptions.Exit(Exit.SOURCE_ERROR) from None
    except BadCertificate as reason:
        if current_output().form == "json":
            current_output().fail(f"refused: {reason}")
        else:
            print(f"refused: {reason}")
        raise click.exceptions.Exit(Exit.INCONCLUSIVE) from None
    print("\n".join(lines))
    if external_calls(machine):
        print("assumed: C accesses only what its declarations state")


def of_formula(machine: Machine, document: dict[str, Any]) -> list[str]:
    """What is said of one that is valid. Raises BadCertificate."""
    from lfc.certificates.files import certificate_from
    from lfc.certificates.verify import verify

    read = certificate_from(document)
    states = verify(machine, read)
    lines = [f"valid: {read.property} holds; {states} states of the product, {len(read.missing)} ranks"]
    return lines + [f"assumed: weak fairness of the process in slot {slot}" for slot in read.fair]


def of_invariant(machine: Machine, document: dict[str, Any], questions: str | None) -> list[str]:
    """Likewise."""
    from lfc.certificates.invariants.form import invariant_from
    from lfc.certificates.invariants.questions import is_refuted
    from lfc.certificates.invariants.validate import verify_invariant

    read = invariant_from(document)
    count = 0

    def refutes(text: str) -> bool:
        nonlocal count
        count += 1
        if questions is not None:
            Path(questions).mkdir(parents=True, exist_ok=True)
            (Path(questions) / f"{count:04}.smt2").write_text(text, encoding="utf-8")
        return is_refuted(text)

    boxes = verify_invariant(machine, read, refutes)
    claims = "no failed assertion and no fault" if read.deadlocks_allowed else "no failed assertion, fault or deadlock"
    claims = f"{read.property} holds" if read.property else claims
    lines = [f"valid: {claims}; one step from each of {boxes} boxes stays within them"]
    if read.k > 1:
        lines.append(f"by induction over {read.k} steps")
    if count:
        lines.append(f"{count} questions to the solver, {len(read.never)} lemmas")
    return lines + [f"assumed: {text}" for text in read.assume]

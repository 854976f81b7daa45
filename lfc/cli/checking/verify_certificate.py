"""`lfc verify-certificate`: validate evidence that a property holds."""

from __future__ import annotations

from pathlib import Path

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output
from lfc.cli.common.sources import source_options


@click.command("verify-certificate", short_help="Validate evidence that a property holds.")
@click.argument("file", metavar="FILE")
@click.argument("certificate", metavar="CERTIFICATE")
@source_options
def command(file: str, certificate: str, path: tuple[str, ...], env: tuple[str, ...]) -> None:
    """Validate a certificate that `lfc check --certificate` wrote for this program.

    It is compared with the program action by action, by code that shares nothing with the checker.
    """
    from lfc.certificates.files import BadCertificate, read_certificate
    from lfc.certificates.verify import verify
    from lfc.external.calls import external_calls

    machine = load_machine(file, path, env, with_environment=bool(env))
    try:
        read = read_certificate(Path(certificate))
        states = verify(machine, read)
    except OSError as error:
        current_output().fail(f"lfc: {certificate} cannot be read: {error.strerror}")
        raise click.exceptions.Exit(Exit.SOURCE_ERROR) from None
    except BadCertificate as reason:
        if current_output().form == "json":
            current_output().fail(f"refused: {reason}")
        else:
            print(f"refused: {reason}")
        raise click.exceptions.Exit(Exit.INCONCLUSIVE) from None
    print(f"valid: {read.property} holds; {states} states of the product, {len(read.missing)} ranks")
    if external_calls(machine):
        print("assumed: C accesses only what its declarations state")
    for slot in read.fair:
        print(f"assumed: weak fairness of the process in slot {slot}")

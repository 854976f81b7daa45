"""`lfc check --levels`: how bad a world each claim endures."""

from __future__ import annotations

import json

import click

from lfc.cli.checking.sweep import claims_of, digest_of, exit_of
from lfc.cli.common.exits import Exit
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output
from lfc.cli.common.sources import WRAPS, definitions


def check_levels(file: str, path: tuple[str, ...], env: tuple[str, ...], claims: tuple[str, ...]) -> Exit:
    """Each claim alone, at each level; with --fault-budget N also with 1 to N faults. The exit code is that of the
    normal world: what fails in others is what was asked."""
    from lfc.mcheck.request.resources import processors
    from lfc.sweep.levels import BUDGET, LEVEL, as_data, lines, worlds
    from lfc.sweep.run import CannotCheck, Checks, run_all

    given = definitions()
    if LEVEL in given:
        raise click.UsageError("--levels tries all levels: leave out --level.")
    budget = int(given[BUDGET]) if BUDGET in given else None
    machine = load_machine(file, path, env, with_environment=bool(env))
    chosen = claims or tuple(claims_of(machine))
    wraps = (WRAPS, given[WRAPS]) if WRAPS in given else ()
    defined = (x for n, v in given.items() if n not in (BUDGET, WRAPS) for x in ("-D", f"{n}={v}"))
    more = (*(x for p in path for x in ("--path", p)), *(x for e in env for x in ("--env", e)), *defined, *wraps)
    checks = Checks(file, ("--threads", "1", *more), digest_of(machine))
    try:
        cells = run_all(checks, [(w, claim) for w in worlds(budget) for claim in chosen], processors())
    except CannotCheck as error:
        current_output().fail(f"lfc: a level cannot be checked: {error}")
        raise click.exceptions.Exit(error.code) from None
    if current_output().form == "json":
        current_output().document(json.dumps(as_data(file, cells)))
    else:
        print("\n".join(lines(cells)))
    return Exit(exit_of([c for c in cells if c.configuration == cells[0].configuration]))

"""The options of `lfc check` that say what is asked of the checker, and the request that is made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.bounded import bound_options, with_bounds
from lfc.cli.common.world import chosen_world, time_option, world_options

if TYPE_CHECKING:
    from click.decorators import FC as Command

    from lfc.mcheck.request.request import Request

BITSTATE_BYTES = 192 << 20  # of bits, without --memory; two for each state that it counts

LIMITS = (
    click.option("--states", type=click.IntRange(min=0), default=0, metavar="N", help="Stop after N states."),
    click.option(
        "--memory",
        type=click.IntRange(min=1),
        metavar="MB",
        help="Use MB megabytes for states (default: most of the free memory).",
    ),
    click.option(
        "--spill",
        metavar="DIR",
        help="Folder for states of a breadth-first search that do not fit in memory (the system's temporary folder).",
    ),
    click.option(
        "--threads", type=click.IntRange(1, 64), metavar="N", help="Search with N threads (default: all cores)."
    ),
    click.option("--compact", is_flag=True, help="Grow tables in smaller steps: less memory, more time."),
)
WAY = (
    click.option(
        "--search",
        type=click.Choice(["breadth", "depth", "best", "astar", "modular", "random", "swarm"]),
        help="Search order: breadth-first, depth-first, or guided towards an error (best, astar); module by module "
        "(modular); random walks or a swarm of small searches, which find errors but prove nothing.",
    ),
    bound_options,
    click.option(
        "--towards",
        type=click.Choice(["any", "deadlock", "assertion", "fault"]),
        default="any",
        help="Goal of --search best and astar.",
    ),
    click.option(
        "--store",
        type=click.Choice(["exact", "hash", "bitstate"]),
        default="exact",
        help="hash, bitstate: store less of each state, depth-first; finds errors, but is not a proof.",
    ),
    click.option(
        "--reductions",
        metavar="NAMES",
        default="auto",
        help="none; auto: choose for large programs; all; or a list of slice, por, dead, chains, sym.",
    ),
)
TOGETHER = (
    click.option(
        "--distributed",
        is_flag=True,
        help="Under mpiexec: the processes search together, each with a share of the states.",
    ),
    click.option(
        "--hosts",
        metavar="HOST:N,...",
        help="Start N processes on each HOST with mpiexec, and check with --distributed.",
    ),
)
CHECKPOINT = (
    click.option("--checkpoint", metavar="FILE", help="Save the search to FILE periodically, for --resume."),
    click.option(
        "--checkpoint-every",
        type=click.FloatRange(min=0),
        metavar="S",
        help="Save it about every S seconds (60).",
    ),
    click.option("--resume", metavar="FILE", help="Resume the search that --checkpoint saved."),
    click.option(
        "--unauthenticated",
        is_flag=True,
        help="Accept a checkpoint that is not authenticated; a record of such a check does not open the gate.",
    ),
)
CLAIMS = (
    click.option(
        "--report",
        "report",
        is_flag=True,
        help="Also report unreached code, the use of bounds, and how many values each variable takes.",
    ),
    click.option("--keep-going", is_flag=True, help="Continue after a violation, and count them all."),
    click.option("--property", "properties", multiple=True, metavar="NAME", help="Check only this property."),
    click.option(
        "--fairness",
        type=click.Choice(["none", "weak", "strong"]),
        help="Fairness of all processes, in place of their marks in the source; marks of communications stay, except "
        "with none.",
    ),
    click.option(
        "--fair",
        "fair",
        multiple=True,
        metavar="WHAT",
        help="Assume fairness of communications or actions, as in 'weak-live Philosopher left!get'.",
    ),
    click.option(
        "--deadlocks",
        type=click.Choice(["report", "allow"]),
        default="report",
        help="allow: processes may wait forever; only faults and properties are checked.",
    ),
    click.option(
        "--cycle-search",
        type=click.Choice(["components", "ndfs"]),
        default="components",
        help="How infinite counterexamples are found (components).",
    ),
    click.option(
        "--for",
        "only",
        multiple=True,
        metavar="CLAIM",
        help="Check only this claim, on its slice: a property, assert, the line of an ASSERT, faults, deadlock.",
    ),
)
AS_GIVEN = ("seconds", "states", "compact", "properties", "fair", "keep_going", "only", "report")


def request_options(command: Command) -> Command:
    parts: list[Callable[[Any], Any]] = [time_option, world_options, *LIMITS, *WAY, *TOGETHER, *CHECKPOINT, *CLAIMS]
    for option in reversed(parts):
        command = option(command)
    return command


def request_of(given: Mapping[str, Any], count_values: bool, with_certificate: bool, with_record: bool) -> Request:
    """Refuses what does not go together."""
    from lfc.mcheck.request.request import AUTO, request_from
    from lfc.mcheck.request.resources import free_memory, processors

    memory = given["memory"] << 20 if given["memory"] else free_memory()
    request = request_from(
        **{name: given[name] for name in AS_GIVEN},
        count_values=count_values,
        memory=memory,
        threads=given["threads"] or processors(),
        fairness=given["fairness"] or "",
        allow_deadlocks=given["deadlocks"] == "allow",
        nested=given["cycle_search"] == "ndfs",
        world=chosen_world(),
    )
    request = with_search(request, given)
    request = with_bounds(request, given["search"], given["store"], given["memory"])
    request = request.changed(reductions=chosen_reductions(given["reductions"]))
    if with_certificate and request.reductions == (AUTO,) and request.world.data != "symbolic":
        request = request.changed(reductions=())  # evidence is about every state
    if request.world.data == "symbolic" and not request.reductions:
        raise click.UsageError("--data symbolic counts no states value by value: it excludes --reductions none.")
    refuse_claims(request, with_certificate or with_record)
    request = with_spill(with_checkpoint(request, given), given["spill"])
    return with_ranks(request, given) if given["distributed"] else request


def with_ranks(request: Request, given: Mapping[str, Any]) -> Request:
    """Each with one thread, and its part of the memory of its machine."""
    from lfc.mcheck.request.request import AUTO
    from lfc.mcheck.search.distributed.world import world

    if not request.search.breadth_first:
        raise click.UsageError("--distributed needs --search breadth.")
    refused = {
        "--threads": (given["threads"] or 1) > 1,
        "--image": given["image"] is not None,
        "--checkpoint": given["checkpoint"],
        "--resume": given["resume"],
        "--report": given["report"],
        "--certificate": given["certificate"],
    }
    for option, is_given in refused.items():
        if is_given:
            raise click.UsageError(f"{option} and --distributed exclude each other.")
    if request.reductions == (AUTO,):
        request = request.changed(reductions=())
    if not given["memory"]:
        request = request.changed(memory=request.limits.memory // world().ranks_of_this_host())
    return request.changed(distributed=True, threads=1)


def with_search(request: Request, given: Mapping[str, Any]) -> Request:
    store, towards = given["store"], given["towards"]
    strategy = given["search"] or ("breadth" if store == "exact" else "depth")
    if towards != "any" and strategy not in ("best", "astar"):
        raise click.UsageError("--towards needs --search best or --search astar.")
    if store != "exact" and strategy != "depth":
        raise click.UsageError(f"--store {store} needs --search depth.")
    if store == "bitstate" and not given["memory"]:
        request = request.changed(stored=BITSTATE_BYTES // 2)
    return request.changed(strategy=strategy, store=store, towards=towards)


def chosen_reductions(text: str) -> tuple[str, ...]:
    from lfc.mcheck.reduction.registry import REDUCTIONS, named_reductions

    found = named_reductions(text)
    if found is None:
        raise click.UsageError(f"--reductions takes auto, none, all, or a list of {', '.join(REDUCTIONS)}.")
    return found


def refuse_claims(request: Request, with_evidence: bool) -> None:
    claims = request.claims
    if claims.only and with_evidence:
        raise click.UsageError(
            "--for is a partial check: use it without --certificate, and with a board add --no-record."
        )
    if claims.only and claims.properties:
        raise click.UsageError("--for already names what is checked: it excludes --property.")
    if "deadlock" in claims.only and claims.allow_deadlocks:
        raise click.UsageError("--for deadlock contradicts --deadlocks allow.")


def with_checkpoint(request: Request, given: Mapping[str, Any]) -> Request:
    file, resume, every = given["checkpoint"] or "", given["resume"] or "", given["checkpoint_every"]
    if (file or resume) and not request.search.breadth_first:
        raise click.UsageError("--checkpoint and --resume need --search breadth.")
    if every is not None and not file:
        raise click.UsageError("--checkpoint-every needs --checkpoint.")
    if given["unauthenticated"] and not resume:
        raise click.UsageError("--unauthenticated needs --resume.")
    if every is not None:
        request = request.changed(every=every)
    return request.changed(file=file, resume=resume, unauthenticated=given["unauthenticated"])


def with_spill(request: Request, folder: str | None) -> Request:
    if folder is not None and not request.search.breadth_first:
        raise click.UsageError("--spill needs --search breadth.")
    if folder is not None and request.checkpoint.file:
        raise click.UsageError("--spill excludes --checkpoint: a saved search must be in memory.")
    if request.search.strategy != "breadth" or request.checkpoint.file:
        return request
    from lfc.mcheck.request.resources import folder_to_spill

    return request.changed(spill=folder or folder_to_spill())

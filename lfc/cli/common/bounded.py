"""Options of searches that leave something out on purpose: bounds, and what is left to chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.decorators import FC as Command

    from lfc.mcheck.request.request import Request

META = "lfc.bounds"  # in the click context
SWARM_BYTES = 48 << 20  # of bits, without --memory; two for each state that it counts


def keep(ctx: click.Context, option: click.Parameter, given: object) -> None:
    if given is not None:
        ctx.meta[META] = ctx.meta.get(META, {}) | {str(option.name): given}


def option_of(name: str, least: int, metavar: str, text: str, most: int | None = None) -> object:
    return click.option(
        name, type=click.IntRange(least, most), metavar=metavar, help=text, expose_value=False, callback=keep
    )


OPTIONS = (
    option_of("--depth", 0, "N", "Search states at most N steps away; with --search random: N steps per walk.", 2**31),
    option_of("--contexts", 0, "N", "Allow 0, 1, ... up to N switches from one process to another.", 2**31),
    option_of("--seed", 0, "N", "Seed of --search random and swarm (1).", 2**63),
    option_of("--steps", 1, "N", "With --search random and swarm: stop after N steps.", 2**63),
    option_of(
        "--searches", 1, "N", "With --search swarm: number of searches (32, or as many as --time allows).", 2**31
    ),
)


def bound_options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        command = option(command)  # type: ignore[operator]
    return command


def with_bounds(request: Request, search: str | None, store: str, memory: int | None) -> Request:
    """After the search has been chosen."""
    from lfc.mcheck.request.bounds import RANDOM_STEPS, SWARM_SEARCHES, SearchBounds

    given: dict[str, int] = dict(click.get_current_context().meta.get(META, {}))
    if "contexts" in given:
        if search is not None or store != "exact" or "depth" in given:
            raise click.UsageError("--contexts excludes --search, --store and --depth.")
        request = request.changed(strategy="contexts")
    strategy, seconds = request.search.strategy, request.limits.seconds
    if "depth" in given and not strategy.by_chance and not request.search.breadth_first:
        raise click.UsageError("--depth needs --search breadth, random or swarm.")
    for name in ("seed", "steps"):
        if name in given and not strategy.by_chance:
            raise click.UsageError(f"--{name} needs --search random or swarm.")
    if "searches" in given and strategy != "swarm":
        raise click.UsageError("--searches needs --search swarm.")
    if strategy == "random" and not seconds:
        given.setdefault("steps", RANDOM_STEPS)
    if strategy == "swarm":
        if not seconds and "steps" not in given:
            given.setdefault("searches", SWARM_SEARCHES)
        if not memory:
            request = request.changed(stored=SWARM_BYTES // 2)
    return request.changed(bounds=SearchBounds(**given))

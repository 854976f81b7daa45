"""Options of searches that leave something out on purpose: bounds, and what is left to chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.decorators import FC as Command

if TYPE_CHECKING:
    from lfc.mcheck.check import CheckOptions

META = "lfc.bounds"  # in the click context
SWARM_MEMORY = 64 << 20  # without --memory


def keep(ctx: click.Context, option: click.Parameter, given: object) -> None:
    if given is not None:
        ctx.meta[META] = ctx.meta.get(META, {}) | {str(option.name): given}


def option_of(name: str, least: int, metavar: str, text: str, most: int | None = None) -> object:
    return click.option(
        name, type=click.IntRange(least, most), metavar=metavar, help=text, expose_value=False, callback=keep
    )


OPTIONS = (
    option_of("--depth", 0, "N", "Look at states at most N steps away; of --search random: N steps a walk.", 2**31),
    option_of("--contexts", 0, "N", "Allow 0, 1, ... up to N switches from one process to another.", 2**31),
    option_of("--seed", 0, "N", "Of --search random and swarm: where chance begins (1).", 2**63),
    option_of("--steps", 1, "N", "Of --search random and swarm: stop after N steps.", 2**63),
    option_of("--searches", 1, "N", "Of --search swarm: this many searches (32, or as many as --time allows).", 2**31),
)


def bound_options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        command = option(command)  # type: ignore[operator]
    return command


def choose_bounds(options: CheckOptions, search: str | None, store: str, memory: int | None) -> None:
    """After the search has been chosen."""
    from lfc.mcheck.request.search_bounds import BY_CHANCE, RANDOM_STEPS, SWARM_SEARCHES, SearchBounds

    given: dict[str, int] = click.get_current_context().meta.get(META, {})
    by_chance = options.search in BY_CHANCE
    if "contexts" in given:
        if search is not None or store != "exact" or "depth" in given:
            raise click.UsageError("--contexts is a search of its own: it goes without --search, --store and --depth.")
        options.search = "contexts"
    if "depth" in given and not by_chance and (options.search != "breadth" or options.lossy):
        raise click.UsageError("--depth goes with --search breadth, random and swarm.")
    for name in ("seed", "steps"):
        if name in given and not by_chance:
            raise click.UsageError(f"--{name} goes with --search random and swarm.")
    if "searches" in given and options.search != "swarm":
        raise click.UsageError("--searches goes with --search swarm.")
    if by_chance and options.properties:
        raise click.UsageError(f"--search {options.search} looks for faults and deadlocks: it goes without --property.")
    given = dict(given)
    if options.search == "random" and not options.seconds:
        given.setdefault("steps", RANDOM_STEPS)
    if options.search == "swarm":
        if not options.seconds and "steps" not in given:
            given.setdefault("searches", SWARM_SEARCHES)
        if not memory:
            options.memory = SWARM_MEMORY
    options.bounds = SearchBounds(**given)

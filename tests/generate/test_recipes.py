"""Each recipe shows what of the language it is for; all of them are accepted, and a seed always gives the same program.

`--update-golden` rewrites what is expected in constructs/. A line that goes is what a campaign no longer tries.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from tests.campaign.front_end.drive_frontend import format_and_compare
from tests.conftest import Golden
from tests.generate.coverage import PLUMBING, acts, constructs, missing
from tests.generate.recipes import RECIPES, Sources, sources_of
from tests.generate.writer import Weights

SEEDS = 60  # within so many, a recipe shows all that its list has
FOLDER = Path(__file__).parent / "constructs"
WEIGHTS = [f.name for f in fields(Weights) if f.name != "properties"]
every_recipe = pytest.mark.parametrize("recipe", RECIPES)


def weights_of(recipe: str) -> Weights:
    return RECIPES[recipe].weights


@every_recipe
def test_what_a_recipe_shows(recipe: str, golden: Golden) -> None:
    made = [sources_of(recipe, seed) for seed in range(SEEDS)]
    shown = constructs([s.program for s in made])
    beside = constructs([s.environment for s in made if s.environment])
    lines = [*shown, *(f"environment: {name}" for name in beside)]
    golden(FOLDER / f"{recipe.replace(', ', '_')}.txt", "\n".join(lines) + "\n")


def test_no_list_is_left_of_a_recipe_that_went() -> None:
    assert {f.stem for f in FOLDER.iterdir()} == {recipe.replace(", ", "_") for recipe in RECIPES}


def test_together_they_show_everything_that_the_parser_makes() -> None:
    shown = {name for file in FOLDER.iterdir() for name in file.read_text(encoding="utf-8").splitlines()}
    assert missing(Counter({number: act in shown | PLUMBING for number, act in acts().items()})) == []


@every_recipe
def test_they_are_accepted(recipe: str) -> None:
    for seed in range(15):
        assert codes(sources_of(recipe, seed)) == [], f"{recipe} {seed}"


def codes(made: Sources) -> list[str]:
    diagnostics = Diagnostics()
    outside = [Source("Devices.lf", made.environment)] if made.environment else []
    check_source(Source("Program.lf", made.program), diagnostics, environments=outside)
    return [d.code for d in diagnostics.items if d.severity.name == "ERROR"]


@every_recipe
def test_a_program_is_always_the_same_and_seeds_differ(recipe: str) -> None:
    made = [sources_of(recipe, seed) for seed in range(30)]
    assert made == [sources_of(recipe, seed) for seed in range(30)]
    assert len(set(made)) == 30


@pytest.mark.parametrize(
    ("recipe", "name"),
    [
        (r, f.name)
        for r in RECIPES
        for f in fields(Weights)
        if f.name != "properties" and getattr(weights_of(r), f.name)
    ],
)
def test_every_weight_counts(recipe: str, name: str) -> None:
    never, always = (RECIPES[recipe].with_weights(**{name: weight}) for weight in (0.0, 1.0))
    seeds = [s for s in range(40) if s % 4 != 3]  # of some recipes, each fourth program is of another one
    assert any(never.write(s, never.weights) != always.write(s, always.weights) for s in seeds)


def test_a_weight_is_how_often() -> None:
    """Of time and of a process that can always go on: in none, in all."""
    recipe = RECIPES["networks"]
    for weight, there in ((0.0, 0), (1.0, 40)):
        changed = recipe.with_weights(time=weight, ticks=weight)
        texts = [changed.write(seed, changed.weights).program for seed in range(40)]
        assert sum("IMPORT Clock" in text for text in texts) == there
        assert sum("CREATE Tick" in text for text in texts) == there


@every_recipe
def test_formatting_twice_changes_nothing(recipe: str) -> None:
    for seed in range(2):
        made = sources_of(recipe, seed)
        for text in filter(None, (made.program, made.environment)):
            format_and_compare(Source("Program.lf", text))

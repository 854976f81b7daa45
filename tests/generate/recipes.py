"""The random programs that campaigns and tests run: which writer makes them, with which weights.

    text_of("created", seed)        the same seed, the same program
    sources_of("driven", seed)      with its environment

`general` and `small` are programs with all of the language; tests that want others of these call
`tests.generate.general.program.generate`. What each recipe shows of the language is in constructs/.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count as count_from
from typing import Protocol

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from tests.generate.calling import Calling
from tests.generate.clustered import choosing, clustered
from tests.generate.created import Created
from tests.generate.driven import Driven
from tests.generate.drivers import Drivers
from tests.generate.fair.fair_choices import device, program
from tests.generate.fair.marked import marked
from tests.generate.faulting_guards import with_faulting_guards
from tests.generate.general.program import Profile, generate
from tests.generate.mixed import Mixed
from tests.generate.named import Named
from tests.generate.networks import Network
from tests.generate.progressing import progressing
from tests.generate.rings import Ring
from tests.generate.servers import Serving
from tests.generate.sliceable import Sliceable
from tests.generate.symmetric import Symmetric
from tests.generate.time.aged import Aged
from tests.generate.time.timed import Timed
from tests.generate.torn import Torn
from tests.generate.values.computing import computing
from tests.generate.values.fixed import fixed
from tests.generate.writer import Weights


@dataclass(frozen=True, slots=True)
class Sources:
    program: str
    environment: str = ""  # empty: none


@dataclass(frozen=True, slots=True)
class Recipe:
    write: Callable[[int, Weights], Sources]
    weights: Weights = Weights()

    def with_weights(self, **changed: float) -> Recipe:
        return replace(self, weights=replace(self.weights, **changed))  # type: ignore[arg-type]


class OneText(Protocol):
    def text(self) -> str: ...


class TwoTexts(Protocol):
    def program(self) -> str: ...

    def environment(self) -> str: ...


def alone(writer: Callable[[random.Random, Weights], OneText], salt: str = "") -> Callable[[int, Weights], Sources]:
    """Programs without an environment. The salt keeps the programs of two recipes with the same seed apart."""
    return lambda seed, weights: Sources(writer(drawn(seed, salt), weights).text())


def composed(writer: Callable[[random.Random, Weights], TwoTexts]) -> Callable[[int, Weights], Sources]:
    def write(seed: int, weights: Weights) -> Sources:
        made = writer(drawn(seed), weights)
        return Sources(made.program(), made.environment())

    return write


def function(text: Callable[[random.Random, Weights], str], salt: str = "") -> Callable[[int, Weights], Sources]:
    return lambda seed, weights: Sources(text(drawn(seed, salt), weights))


def drawn(seed: int, salt: str = "") -> random.Random:
    return random.Random(f"{salt} {seed}" if salt else seed)


def guarded(write: Callable[[int, Weights], Sources]) -> Callable[[int, Weights], Sources]:
    """With guards that fault, in a third of the programs."""
    return lambda seed, weights: Sources(with_faulting_guards(write(seed, weights).program, seed))


def write_symmetric(seed: int, weights: Weights) -> Sources:
    failing, formulas = drawn(seed, "failing"), drawn(seed, "properties")
    return Sources(Symmetric(drawn(seed), weights, failing, formulas).text())


def write_named(seed: int, weights: Weights) -> Sources:
    return Sources(Named(drawn(seed, "named"), weights, drawn(seed, "properties")).text())


def write_exchangeable(with_names: str) -> Callable[[int, Weights], Sources]:
    """One of four is of the other recipe, in which numbers name instances."""
    return lambda seed, weights: sources_of(with_names, seed) if seed % 4 == 3 else write_symmetric(seed, weights)


def write_fixed(seed: int, weights: Weights) -> Sources:
    """The first from there that needs no more than 64 bits."""
    for number in count_from(100 * seed):
        text, diagnostics = fixed(number).text, Diagnostics()
        if check_source(Source("Program.lf", text), diagnostics) is not None and not diagnostics.has_errors:
            return Sources(text)
    raise AssertionError


def write_choices(seed: int, weights: Weights) -> Sources:
    r = drawn(seed, "choices")
    asks = r.random() < weights.world
    made = "\n".join(program(r, asks).lines) + "\n"
    return Sources(made, "\n".join(device(r).lines) + "\n" if asks else "")


def write_general(small: bool) -> Callable[[int, Weights], Sources]:
    def write(seed: int, weights: Weights) -> Sources:
        profile = Profile(size=1, small=True, inputs=False) if small else Profile(properties=seed % 5 == 0)
        return Sources(generate(seed, profile).text)

    return write


NETWORKS = Weights(asserts=0.7, faults=0.65, time=0.2, interrupts=0.12, creates=0.2, selects=0.6, ticks=0.4)
SERVERS = Weights(asserts=0.6, faults=0.5, ticks=0.4, gifts=0.3, creates=0.25)
CREATED = Weights(asserts=1.0, faults=1.0, time=0.25, interrupts=0.08, calls=0.2, ticks=0.5)
SYMMETRIC = Weights(names=0.4, calls=0.3, servers=0.7, channel_arrays=0.35, asserts=0.6, faults=0.2, ticks=0.3)
NAMED = Weights(tells_apart=0.25, servers=0.6, calls=0.35, creates=0.2, watchers=0.25, asserts=0.6, quiet=0.4)
DRIVEN = Weights(
    meets=0.2, looks=0.25, time=0.2, world=0.3, busy=0.15, asserts=0.6, ticks=0.3, nested_access=0.1, steers=0.35
)
CALLING = Weights(twins=0.25, shared=0.3, recursion=0.4)
MIXED = Weights(
    plain=0.4, creates=0.6, gifts=0.5, time=0.3, interrupts=0.2, inputs=0.1, faults=0.3, asserts=0.5, clusters=0.8
)
# With formulas, nothing else may fail: what is compared is what they say.
SAFE = {"properties": True, "asserts": 0.0, "faults": 0.0}

RECIPES = {
    "general": Recipe(write_general(False)),
    "small": Recipe(write_general(True)),
    "networks": Recipe(alone(Network), NETWORKS),
    "networks, properties": Recipe(alone(Network), NETWORKS).with_weights(**SAFE, creates=0.0),
    "networks, guards": Recipe(guarded(alone(Network)), NETWORKS),
    "sliceable": Recipe(
        alone(Sliceable), replace(NETWORKS, asserts=1.0, time=0.0, interrupts=0.0, creates=0.0, ticks=0.0, calls=0.5)
    ),
    "torn": Recipe(alone(Torn, "torn"), replace(NETWORKS, time=0.0, interrupts=0.0)),
    "torn, properties": Recipe(alone(Torn, "torn"), NETWORKS).with_weights(**SAFE, creates=0.0, interrupts=0.0),
    "servers, guards": Recipe(guarded(alone(Serving)), SERVERS),
    "created": Recipe(guarded(alone(Created, "created")), CREATED),
    "created, properties": Recipe(alone(Created, "created"), CREATED).with_weights(**SAFE),
    "calling": Recipe(alone(Calling), CALLING),
    "calling, properties": Recipe(alone(Calling), CALLING).with_weights(**SAFE),
    "symmetric": Recipe(write_exchangeable("named"), SYMMETRIC),
    "symmetric, properties": Recipe(write_exchangeable("named, properties"), SYMMETRIC).with_weights(**SAFE),
    "named": Recipe(write_named, NAMED),
    "named, properties": Recipe(write_named, NAMED).with_weights(**SAFE, creates=0.0),
    "mixed": Recipe(alone(Mixed), MIXED),
    "mixed, properties": Recipe(alone(Mixed), MIXED).with_weights(properties=True),
    "progressing": Recipe(function(progressing, "progressing"), Weights(ticks=0.7)),
    "clustered": Recipe(function(clustered), Weights(clusters=0.6)),
    "choosing": Recipe(function(choosing), Weights(servers=0.5)),
    "driven": Recipe(composed(Driven), DRIVEN),
    "driven, properties": Recipe(composed(Driven), DRIVEN).with_weights(properties=True, asserts=0.1),
    "drivers": Recipe(alone(Drivers)),
    "rings": Recipe(alone(Ring, "rings"), Weights(creates=0.2, servers=0.4)),
    "timed": Recipe(composed(Timed), Weights(time=0.4)),
    "aged": Recipe(composed(Aged)),
    "marked": Recipe(lambda seed, weights: Sources(marked(seed))),
    "computing": Recipe(lambda seed, weights: Sources(computing(seed))),
    "choices": Recipe(write_choices, Weights(world=0.5)),
    "fixed": Recipe(write_fixed),
}


def sources_of(recipe: str, seed: int) -> Sources:
    found = RECIPES[recipe]
    return found.write(seed, found.weights)


def text_of(recipe: str, seed: int) -> str:
    return sources_of(recipe, seed).program

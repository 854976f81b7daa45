"""Systems of several boards, followed in the simulator: whatever the images do, the composition can do, over lines that
damage bytes too.

    python -m tests.campaign.systems.followed [--actions N] [--seed FIRST] [--damage N]

Until so many actions were done together, in runs of `--seconds` each of the examples with links as buffers, and as the
protocol. `--damage`: one byte in so many, in every second run. With `--random N` it is so many random systems of two
boards instead.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from lfc.boards.network import Network
from tests.campaign.systems.compositions import write
from tests.conftest import ROOT
from tests.support.seeds import add_seed, parsed
from tests.systems.following import follower, noisy
from tests.systems.two_boards import two_boards

SYSTEMS = ROOT / "examples" / "systems"
PROTOCOL = '\n[line]\nmodel = "protocol"\n'
BOARDS = (("uno", "uno", "microbit"), ("uno", "uno", "pico"), ("bluepill", "esp32c3", "mega2560"))
PLACES = ("first", "second", "third")


@dataclass(slots=True)
class Result:
    actions: int = 0
    steps: int = 0  # that the boards' programs show
    frames: int = 0
    damaged: int = 0
    runs: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def campaign(actions: int, seed: int, seconds: float, damage: int, models: tuple[str, ...] = ("", PROTOCOL)) -> Result:
    result = Result()
    with TemporaryDirectory(prefix="lfc-") as made_here:
        for number, system, name in systems(Path(made_here), models):
            if result.actions >= actions or result.failures:
                return result
            noise = noisy(seed + number, damage) if number % 2 else Network
            run = follower(system, network=noise, most=2_000_000)
            told = run.run(seconds, actions - result.actions)
            result.actions += sum(told.actions.values())
            result.steps += sum(told.steps.values())
            result.frames += told.frames
            result.damaged += getattr(run.network, "damaged", 0)
            result.runs[name] += 1
            if told.verdict != "agrees":
                result.failures.append("\n".join([f"run {number}, {name}: {told.verdict}", *told.lines]))
    return result


def random_systems(first: int, count: int, seconds: float, damage: int) -> Result:
    """Two boards with random programs; a fault of a board is one of the composition too."""
    result = Result()
    for seed in range(first, first + count):
        boards = two_boards(seed)
        with TemporaryDirectory(prefix="lfc-") as made_here:
            system = write(Path(made_here), boards) / "two.toml"
            system.write_text(system.read_text().replace("\nrun =", '\nboard = "uno"\nrun ='))
            run = follower(system, network=noisy(seed, damage))
            told = run.run(seconds)
        result.actions += sum(told.actions.values())
        result.steps += sum(told.steps.values())
        result.frames += told.frames
        result.damaged += getattr(run.network, "damaged", 0)
        result.runs[told.verdict] += 1
        if told.verdict not in ("agrees", "fault"):
            result.failures.append("\n".join([f"seed {seed}: {told.verdict}", *told.lines, boards.one]))
    return result


def systems(folder: Path, models: tuple[str, ...]) -> Iterator[tuple[int, Path, str]]:
    """The ring of three on other boards each time, in turn with the links as they are in images."""
    three = (SYSTEMS / "three.toml").read_text()
    for number, boards, model in zip(count(), cycle(BOARDS), cycle(m for m in models for _ in BOARDS)):
        here = folder / f"{number}"
        here.mkdir()
        (here / "Node.lf").write_text((SYSTEMS / "Node.lf").read_text())
        text = three
        for place, board in zip(PLACES, boards, strict=True):
            head, tail = text.split(f"[boards.{place}]")
            before, rest = tail.split('board = "', 1)
            text = f'{head}[boards.{place}]{before}board = "{board}"{rest.split(chr(34), 1)[1]}'
        (here / "three.toml").write_text(text + model)
        yield number, here / "three.toml", f"{', '.join(boards)}{', protocol' if model else ''}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--damage", type=int, default=100)
    parser.add_argument("--buffers", action="store_true", help="without the protocol's own states")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="random systems, of 0.4 s each")
    add_seed(parser)
    options = parsed(parser)
    began = time.process_time()
    models = ("",) if options.buffers else ("", PROTOCOL)
    if options.random:
        result = random_systems(options.seed, options.random, 0.4, 60)
    else:
        result = campaign(options.actions, options.seed, options.seconds, options.damage, models)
    print(f"{result.actions} actions, {result.steps} of them steps of the boards' programs")
    print(f"{result.frames} frames passed, {result.damaged} bytes damaged")
    print(f"{dict(result.runs)}; {time.process_time() - began:.0f} s of processor time")
    print(*result.failures, sep="\n")
    return bool(result.failures)


if __name__ == "__main__":
    raise SystemExit(main())

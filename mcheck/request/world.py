"""What a check takes for granted of the world around the program: its time and its inputs."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.mcheck.model.clocks import DISCRETE, FREE, ORDERED, WRAP
from lfc.mcheck.model.input_ranges import SPLIT

SAYINGS = {
    FREE: [],
    ORDERED: ["actions take no time: sleepers wake in the order of their deadlines (--time ordered)"],
    DISCRETE: ["actions take no time: sleepers wake in the order of their deadlines (--time discrete)"],
}


@dataclass(slots=True)
class World:
    time: str = FREE
    clock_wrap: int = WRAP  # of --time discrete, in milliseconds
    inputs: str = SPLIT  # all: value by value
    rate: int = 0  # events from outside for each action of the program; 0: any number
    outside: str = ""  # what somebody does at the module's exported channels
    open_messages: frozenset[int] = frozenset()  # for these a process may wait for ever
    assume: tuple[str, ...] = ()  # what ports give, as `inputs` reads it

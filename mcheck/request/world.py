"""What a check takes for granted of the world around the program: its time and its inputs."""

from __future__ import annotations

from enum import StrEnum

from lfc.base.lazy_dataclass import dataclass

WRAP = 60_000  # of the clock, in milliseconds


class Time(StrEnum):
    FREE = "free"  # sleepers wake at any time
    ORDERED = "ordered"  # in the order of their deadlines
    DISCRETE = "discrete"  # likewise, and the clock is part of the states


class Inputs(StrEnum):
    SPLIT = "split"  # by what is asked of them
    ALL = "all"  # value by value


class Data(StrEnum):
    AUTO = "auto"  # symbolic where the explicit search does not come to an end soon
    EXPLICIT = "explicit"  # every variable has a value
    SYMBOLIC = "symbolic"  # values are sets until something is asked of them


@dataclass(frozen=True, slots=True)
class World:
    time: Time = Time.FREE
    clock_wrap: int = WRAP  # of --time discrete, in milliseconds
    inputs: Inputs = Inputs.SPLIT
    data: Data = Data.AUTO
    rate: int = 0  # events from outside for each action of the program; 0: any number
    outside: str = ""  # what somebody does at the module's exported channels
    open_messages: frozenset[int] = frozenset()  # for these a process may wait for ever
    assume: tuple[str, ...] = ()  # what ports give, as `input_ranges` reads it
    few: tuple[tuple[int, int, int], ...] = ()  # width, address, count: of ports whose values from 0 on stand for all

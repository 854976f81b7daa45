"""Directed search: what seems nearest to an error first. A* finds a shortest path (Hart, Nilsson, Raphael 1968)."""

from __future__ import annotations

import ctypes

from lfc.mcheck.search.strategies.exploration import Setting
from lfc.mcheck.search.strategies.heuristics import Estimate, estimates_for
from lfc.mcheck.search.strategies.walk import How, Walk

MOST_SETTLING = 1000  # steps


class BestFirst(Walk):
    how = How.BEST

    def estimates(self, setting: Setting) -> list[Estimate]:
        model, towards = setting.model, setting.request.search.towards
        shortest = self.how is How.ASTAR
        settled = settled_block(setting)
        return estimates_for(model.machine, model.description, model.generated.sites, towards, shortest, settled)


def settled_block(setting: Setting) -> bytes | None:
    """Of the state that is on every way, as far as the program has one way alone."""
    room = ctypes.create_string_buffer(setting.model.block_size + 8)
    found = setting.model.library.mc_settled(setting.engine, MOST_SETTLING, room)
    return room.raw[: setting.model.block_size] if found else None


class AStar(BestFirst):
    how = How.ASTAR
    shortens = False

"""Directed search: what seems nearest to an error first. A* finds a shortest path (Hart, Nilsson, Raphael 1968)."""

from __future__ import annotations

from lfc.mcheck.search.strategies.exploration import Setting
from lfc.mcheck.search.strategies.heuristics import Estimate, estimates_for
from lfc.mcheck.search.strategies.walk import How, Walk


class BestFirst(Walk):
    how = How.BEST

    def estimates(self, setting: Setting) -> list[Estimate]:
        model, towards = setting.model, setting.request.search.towards
        shortest = self.how is How.ASTAR
        return estimates_for(model.machine, model.description, model.generated.sites, towards, shortest)


class AStar(BestFirst):
    how = How.ASTAR
    shortens = False

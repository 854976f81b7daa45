"""Which strategies there are: a class each, in a file of its own, that is read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lfc.mcheck.request.request import Store, Strategy

if TYPE_CHECKING:
    from lfc.mcheck.request.request import SearchOptions
    from lfc.mcheck.search.strategies.exploration import Exploration, Setting


def strategy_of(options: SearchOptions) -> Callable[[Setting], Exploration]:
    if options.store.lossy:
        from lfc.mcheck.search.strategies.depth_first import Bitstate, Hashed

        return Bitstate if options.store is Store.BITSTATE else Hashed
    if options.distributed:
        from lfc.mcheck.search.distributed.distributed import Distributed

        return Distributed
    match options.strategy:
        case Strategy.BREADTH:
            from lfc.mcheck.search.strategies.breadth_first import BreadthFirst

            return BreadthFirst
        case Strategy.DEPTH:
            from lfc.mcheck.search.strategies.depth_first import DepthFirst

            return DepthFirst
        case Strategy.BEST | Strategy.ASTAR:
            from lfc.mcheck.search.strategies.directed import AStar, BestFirst

            return AStar if options.strategy is Strategy.ASTAR else BestFirst
        case Strategy.CONTEXTS:
            from lfc.mcheck.search.strategies.context_bounded import ContextBounded

            return ContextBounded
        case Strategy.RANDOM | Strategy.SWARM:
            from lfc.mcheck.search.strategies.by_chance import RandomWalks, Swarm

            return RandomWalks if options.strategy is Strategy.RANDOM else Swarm
        case Strategy.MODULAR:
            from lfc.mcheck.search.modular.explore import Modular

            return Modular

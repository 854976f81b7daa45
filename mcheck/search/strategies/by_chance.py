"""Searches by chance: random walks, and a swarm of small depth-first searches (Holzmann, Joshi, Groce 2008)."""

from __future__ import annotations

from lfc.mcheck.search.strategies.walk import How, Walk


class RandomWalks(Walk):
    how = How.RANDOM
    usual_depth = 10_000  # then a walk begins anew


class Swarm(Walk):
    how = How.SWARM

"""Depth-first search; also with less of each state kept: 64 bits (hash compaction, Wolper and Leroy 1993), or three
(bitstate hashing, Holzmann 1988).
"""

from __future__ import annotations

from lfc.mcheck.search.strategies.walk import How, Walk


class DepthFirst(Walk):
    how = How.DEPTH


class Hashed(Walk):
    how = How.HASHED
    lossy = True


class Bitstate(Walk):
    how = How.BITSTATE
    lossy = True

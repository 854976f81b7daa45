"""Context-bounded search: with 0, 1, ... switches from one process to another (Qadeer and Rehof 2005)."""

from __future__ import annotations

from lfc.mcheck.search.strategies.walk import How, Walk


class ContextBounded(Walk):
    how = How.CONTEXTS
    shortens = False  # the paths are those with the fewest switches

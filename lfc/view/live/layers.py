"""Where the states of a graph stand: in layers by their distance from the initial one, each in the order of the mean
of its neighbours above (Sugiyama, Tagawa and Toda 1981, one sweep down). A wide layer takes several rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

Place = tuple[float, float]
WIDE, ROW, LAYER = 26.0, 26.0, 44.0  # between neighbours of a row, between rows of a layer, between layers
NARROWEST = 24  # states of a row, at the most


def layered(depths: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[Place]:
    """`depths`: that of each state, from 0."""
    above: list[list[int]] = [[] for _ in depths]
    for source, target in edges:
        if depths[source] < depths[target]:
            above[target].append(source)
    layers: list[list[int]] = [[] for _ in range(max(depths, default=-1) + 1)]
    for state, depth in enumerate(depths):
        layers[depth].append(state)
    most = max(NARROWEST, 3 * isqrt(len(depths)) // 2)  # a picture that is not much wider than high
    at: dict[int, Place] = {}
    y = 0.0
    for layer in layers:
        mean = {s: sum(at[p][0] for p in above[s]) / len(above[s]) if above[s] else 0.0 for s in layer}
        ordered = sorted(layer, key=lambda s: (mean[s], s))
        rows = -(-len(layer) // most)
        for number in range(rows):  # each row has some of everywhere, so that a state stays below its neighbours
            row = ordered[number::rows]
            for place, state in enumerate(row):
                at[state] = (WIDE * (place - (len(row) - 1) / 2), y + ROW * number)
        y += LAYER + ROW * (rows - 1)
    return [at[s] for s in range(len(depths))]

"""Where the processes of a picture stand: stress majorisation (Gansner, Koren and North 2004), then room for each.

It is done when the page is made, here and not in the reader's browser: the page needs no library for it, every reader
sees the same picture, and a test can compare it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, hypot, pi, sin, sqrt

Place = tuple[float, float]
EDGE = 124.0  # length that a connection should have
WIDE, HIGH = 148.0, 62.0  # room of one process
STRETCH = 1.5  # boxes are wider than high, and so are windows
ROUNDS = 120
APART = 60  # times that those who overlap are moved
WINDOW = 2.0  # pieces are put in rows that together are so many times wider than high, if they can be


def arranged(neighbours: Mapping[str, set[str]]) -> dict[str, Place]:
    """Deterministic; the least coordinates are 0. What is not connected is arranged apart, the largest first."""
    pieces = [one_piece(names, neighbours) for names in connected(neighbours)]
    extents = [extent(piece) for piece in pieces]
    widest = max([sqrt(WINDOW * sum(wide * high for wide, high in extents)), *(wide for wide, _ in extents)])
    found: dict[str, Place] = {}
    left = top = row = 0.0
    for piece, (wide, high) in zip(pieces, extents, strict=True):
        if left and left + wide > widest:
            left, top, row = 0.0, top + row, 0.0
        found |= {name: (round(left + x, 1), round(top + y, 1)) for name, (x, y) in piece.items()}
        left, row = left + wide, max(row, high)
    return found


def extent(piece: Mapping[str, Place]) -> Place:
    """With room around it."""
    return max(x for x, _ in piece.values()) + WIDE, max(y for _, y in piece.values()) + HIGH


def connected(neighbours: Mapping[str, set[str]]) -> list[list[str]]:
    """The pieces, each in an order along its connections, so that a ring begins as a ring."""
    pieces: list[list[str]] = []
    seen: set[str] = set()
    for start in sorted(neighbours, key=lambda n: (len(neighbours[n]), n)):
        ahead, order = [start], dict[str, None]()
        while ahead:
            name = ahead.pop()
            if name not in order and name not in seen:
                order[name] = None
                ahead += sorted((n for n in neighbours[name] if n not in order), reverse=True)
        if order:
            pieces.append(list(order))
            seen |= set(order)
    return sorted(pieces, key=lambda names: (-len(names), names))


def one_piece(names: Sequence[str], neighbours: Mapping[str, set[str]]) -> dict[str, Place]:
    away = {name: distances_from(name, neighbours) for name in names}
    radius = EDGE * max(1.0, len(names) / (2 * pi))
    at = [(radius * cos(2 * pi * i / len(names)), radius * sin(2 * pi * i / len(names))) for i in range(len(names))]
    wanted = [[EDGE * away[a][b] for b in names] for a in names]
    for _ in range(ROUNDS):
        at = majorised(at, wanted)
    at = [(STRETCH * x, y) for x, y in at]
    for _ in range(APART):
        if not pushed_apart(at):
            break
    left, top = min(x for x, _ in at), min(y for _, y in at)
    return {name: (x - left, y - top) for name, (x, y) in zip(names, at, strict=True)}


def distances_from(start: str, neighbours: Mapping[str, set[str]]) -> dict[str, int]:
    found, ahead = {start: 0}, [start]
    for name in ahead:
        for other in sorted(neighbours[name]):
            if other not in found:
                found[other] = found[name] + 1
                ahead.append(other)
    return found


def majorised(at: Sequence[Place], wanted: Sequence[Sequence[float]]) -> list[Place]:
    """One round: each goes to the weighted mean of where the others would have it."""
    found = list(at)
    for i, (x, y) in enumerate(at):
        sum_x = sum_y = weights = 0.0
        for j, (u, v) in enumerate(found):
            if i == j:
                continue
            d = wanted[i][j]
            now = hypot(x - u, y - v) or 1e-9
            w = 1 / (d * d)
            sum_x += w * (u + d * (x - u) / now)
            sum_y += w * (v + d * (y - v) / now)
            weights += w
        if weights:
            found[i] = (sum_x / weights, sum_y / weights)
    return found


def pushed_apart(at: list[Place]) -> bool:
    """Those that overlap are moved along the axis on which less is needed. False: none does."""
    moved = False
    for i in range(len(at)):
        for j in range(i):
            dx, dy = at[i][0] - at[j][0], at[i][1] - at[j][1]
            over_x, over_y = WIDE - abs(dx), HIGH - abs(dy)
            if over_x <= 0.01 or over_y <= 0.01:
                continue
            moved = True
            if over_x / WIDE < over_y / HIGH:
                step = over_x / 2 * (1 if dx >= 0 else -1)
                at[i], at[j] = (at[i][0] + step, at[i][1]), (at[j][0] - step, at[j][1])
            else:
                step = over_y / 2 * (1 if dy >= 0 else -1)
                at[i], at[j] = (at[i][0], at[i][1] + step), (at[j][0], at[j][1] - step)
    return moved

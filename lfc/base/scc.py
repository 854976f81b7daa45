"""Strongly connected components of any graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(nodes: Sequence[Node], followers: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """Each component after those that it leads to (Tarjan, without Python's recursion)."""
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    held: list[Node] = []
    on_hold: set[Node] = set()
    found: list[list[Node]] = []
    for start in nodes:
        if start in order:
            continue
        order[start] = low[start] = len(order)
        held.append(start)
        on_hold.add(start)
        work = [(start, iter(followers(start)))]
        while work:
            node, rest = work[-1]
            follower = next(rest, None)
            if follower is None:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == order[node]:
                    component = []
                    while True:
                        member = held.pop()
                        on_hold.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    found.append(component)
            elif follower not in order:
                order[follower] = low[follower] = len(order)
                held.append(follower)
                on_hold.add(follower)
                work.append((follower, iter(followers(follower))))
            elif follower in on_hold:
                low[node] = min(low[node], order[follower])
    return found

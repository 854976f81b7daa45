"""Breadth-first search of any graph: nodes are numbered as they are found, and looked at in this order."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Found(Generic[Node]):
    """Iterating gives each node with its number, also those that are found meanwhile:

    for number, node in found: for follower in ...: found.number(follower)
    """

    def __init__(self, first: Node, most: int | None = None) -> None:
        self.nodes: list[Node] = [first]
        self.numbers: dict[Node, int] = {first: 0}
        self.most = most

    def __iter__(self) -> Iterator[tuple[int, Node]]:
        return enumerate(self.nodes)

    def number(self, node: Node) -> int | None:
        """None: it is new, and there is room for no more."""
        known = self.numbers.get(node)
        if known is not None:
            return known
        if self.most is not None and len(self.nodes) >= self.most:
            return None
        self.numbers[node] = len(self.nodes)
        self.nodes.append(node)
        return len(self.nodes) - 1

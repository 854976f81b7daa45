"""Which processes some continuation lets go, over the strongly connected components of a graph."""

from __future__ import annotations


def let_go_later(edges: list[list[tuple[int | None, int]]], everything: int) -> list[int]:
    """For each state, the bit set of slots that some path from it lets go. An edge is (target, slots that it lets go);
    without a target it is a fault, which counts as letting all go."""
    component_of, count = components([[t for t, _ in out if t is not None] for out in edges])
    members: list[list[int]] = [[] for _ in range(count)]
    for state, component in enumerate(component_of):
        members[component].append(state)
    result = [0] * count
    for component in range(count):  # components are numbered so that every edge leads to a lower or the same number
        for state in members[component]:
            for target, let_go in edges[state]:
                result[component] |= everything if target is None else let_go | result[component_of[target]]
    return [result[component] for component in component_of]


def components(targets: list[list[int]]) -> tuple[list[int], int]:
    """Tarjan's algorithm without recursion: the number of each state's component, and how many there are."""
    order = [-1] * len(targets)
    low = [0] * len(targets)
    component_of = [-1] * len(targets)
    pending: list[int] = []
    seen = count = 0
    for root in range(len(targets)):
        if order[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            state, at = work.pop()
            if order[state] < 0:
                order[state] = low[state] = seen
                seen += 1
                pending.append(state)
            descended = False
            for i in range(at, len(targets[state])):
                target = targets[state][i]
                if order[target] < 0:
                    work.append((state, i))  # looks at this edge again when the target is done
                    work.append((target, 0))
                    descended = True
                    break
                if component_of[target] < 0:
                    low[state] = min(low[state], low[target])
            if descended:
                continue
            if low[state] == order[state]:
                while True:
                    member = pending.pop()
                    component_of[member] = count
                    if member == state:
                        break
                count += 1
    return component_of, count

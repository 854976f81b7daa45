"""What an action does over and over, as a loop that polls registers does, told once with its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

MOST_SAME = 5  # times that something is told in a row
MOST_SAME_GROUPS = 3  # times that several things are told in turn
LONGEST_GROUP = 8
MOST_TOLD = 20  # of one action; of more the first and the last, and between them what comes how often
FIRST, LAST = 10, 6
MOST_NAMED = 4  # between them


def told_once(deeds: Iterable[str]) -> list[str]:
    """What is the same many times in a row, once."""
    found: list[str] = []
    for text, same in groupby(d for d in deeds if d):
        times = len(list(same))
        found += [text] * times if times < MOST_SAME else [f"{text} ({times} times)"]
    return found


def told_briefly(deeds: Iterable[str]) -> list[str]:
    """For people: what comes in turn many times, once; of what is long still, the middle is counted."""
    parts = list(groups([d for d in deeds if d]))
    if sum(len(group) for group, _ in parts) <= MOST_TOLD:
        return group_texts(parts)
    last = how_many(parts[::-1], LAST)
    first = min(how_many(parts, FIRST), len(parts) - last)
    between = parts[first : len(parts) - last]
    if not between:
        return group_texts(parts)
    return [*group_texts(parts[:first]), counts(between), *group_texts(parts[len(parts) - last :])]


def how_many(parts: Sequence[tuple[Sequence[str], int]], texts: int) -> int:
    """Of the first ones, so that they have that many texts."""
    found = 0
    while texts > 0:
        texts -= len(parts[found][0])
        found += 1
    return found


def groups(deeds: Sequence[str]) -> Iterator[tuple[Sequence[str], int]]:
    """Texts in turn, and how often they come so; in order, and together they are all."""
    at = 0
    while at < len(deeds):
        length, times = 1, 1
        for length in range(1, LONGEST_GROUP + 1):
            times = repetitions(deeds, at, length)
            if times >= (MOST_SAME if length == 1 else MOST_SAME_GROUPS):
                break
        else:
            length, times = 1, 1
        yield deeds[at : at + length], times
        at += length * times


def repetitions(deeds: Sequence[str], at: int, length: int) -> int:
    """How often the texts that begin here come in a row."""
    end = at + length
    while end < len(deeds) and deeds[end] == deeds[end - length]:
        end += 1
    return (end - at) // length


def group_texts(parts: Iterable[tuple[Sequence[str], int]]) -> list[str]:
    found: list[str] = []
    for group, times in parts:
        these = "" if len(group) == 1 else f"these {len(group)}, "
        found += group if times == 1 else [*group[:-1], f"{group[-1]} ({these}{times} times)"]
    return found


def counts(parts: Iterable[tuple[Sequence[str], int]]) -> str:
    """The most frequent by name; what comes once only where there is little of it."""
    more = Counter(chain.from_iterable(list(group) * times for group, times in parts))
    named = more.most_common(MOST_NAMED)
    if len(more) > MOST_NAMED:
        named = [(text, times) for text, times in named if times > 1]
    others = more.total() - sum(times for _, times in named)
    told = [f"{times} more of {text}" if times > 1 else text for text, times in named]
    return f"... {', '.join([*told, *([f'{others} others'] if others else [])])} ..."

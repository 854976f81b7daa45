"""Small mistakes made on purpose, one at a time, and a measure of how well the errors point at them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostic, Diagnostics, Severity
from lfc.syntax.grammar.lexer import Tokens, cut_into_tokens
from lfc.syntax.parser import parse_module

NEAR = 1  # lines between the change and the first error
ERRORS_AT_MOST = 5
SHARE_NEAR = 0.90  # of the mutated programs with an error: the bar

Check = Callable[[Source], list[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Mutation:
    path: str
    kind: str  # deletion, swap, misspelling
    text: str
    first_line: int  # of the change
    last_line: int
    what: str


@dataclass(slots=True)
class Measure:
    """Counts by kind of mutation. A program that is still right (another name, say) has no error to judge."""

    tried: dict[str, int] = field(default_factory=dict)
    with_error: dict[str, int] = field(default_factory=dict)
    near: dict[str, int] = field(default_factory=dict)
    far_ones: list[tuple[Mutation, Diagnostic]] = field(default_factory=list)
    chatty: list[tuple[Mutation, int]] = field(default_factory=list)

    @property
    def share_near(self) -> float:
        return sum(self.near.values()) / max(1, sum(self.with_error.values()))

    @property
    def holds(self) -> bool:
        return self.share_near >= SHARE_NEAR and not self.chatty

    def table(self) -> str:
        lines = [f"{'mutation':<12} {'tried':>7} {'error':>7} {'near':>7}  share"]
        for kind in self.tried:
            error, near = self.with_error.get(kind, 0), self.near.get(kind, 0)
            lines.append(f"{kind:<12} {self.tried[kind]:>7} {error:>7} {near:>7}  {near / max(1, error):.1%}")
        lines.append(f"first error within {NEAR} line: {self.share_near:.1%}; more than {ERRORS_AT_MOST} errors: ")
        return "\n".join(lines) + str(len(self.chatty))


def syntax_errors(source: Source) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    parse_module(source, diagnostics)
    return diagnostics.items


def measure(mutations: Iterable[Mutation], check: Check = syntax_errors) -> Measure:
    result = Measure()
    for mutation in mutations:
        found = check(Source(mutation.path, mutation.text))
        errors = sorted((d for d in found if d.severity is Severity.ERROR), key=lambda d: d.span.start)
        _count(result.tried, mutation.kind)
        if not errors:
            continue
        _count(result.with_error, mutation.kind)
        if mutation.first_line - NEAR <= errors[0].span.line <= mutation.last_line + NEAR:
            _count(result.near, mutation.kind)
        else:
            result.far_ones.append((mutation, errors[0]))
        if len(errors) > ERRORS_AT_MOST:
            result.chatty.append((mutation, len(errors)))
    return result


def _count(counts: dict[str, int], kind: str) -> None:
    counts[kind] = counts.get(kind, 0) + 1


def mutations_of(path: Path, chance: random.Random) -> Iterator[Mutation]:
    """Each token deleted, each pair of neighbours swapped, each word misspelt."""
    source = Source.read(path)
    tokens = cut_into_tokens(source, Diagnostics())
    count = len(tokens.kinds) - 1  # without the end of the text
    for index in range(count):
        yield _deletion(tokens, index)
        if index + 1 < count and tokens.text(index) != tokens.text(index + 1):
            yield _swap(tokens, index)
        word = tokens.text(index)
        if word[0].isalpha() and len(word) > 1:
            yield _misspelling(tokens, index, misspelt(word, chance))


def sampled(mutations: Iterable[Mutation], share: float, chance: random.Random) -> Iterator[Mutation]:
    return (mutation for mutation in mutations if chance.random() < share)


def _deletion(tokens: Tokens, index: int) -> Mutation:
    text = tokens.source.text
    start, end = tokens.starts[index], tokens.ends[index]
    line = tokens.span(index).line
    return Mutation(tokens.source.path, "deletion", _joined(text[:start], text[end:]), line, line, tokens.text(index))


def _swap(tokens: Tokens, index: int) -> Mutation:
    text = tokens.source.text
    a, b, c, d = tokens.starts[index], tokens.ends[index], tokens.starts[index + 1], tokens.ends[index + 1]
    swapped = _joined(_joined(_joined(_joined(text[:a], text[c:d]), text[b:c]), text[a:b]), text[d:])
    lines = tokens.span(index).line, tokens.span(index + 1).line
    return Mutation(tokens.source.path, "swap", swapped, *lines, f"{text[a:b]} {text[c:d]}")


def _joined(left: str, right: str) -> str:
    """Without making one token of two, or a comment."""
    between = left[-1:] + right[:1]
    words = all(c.isalnum() or c in "_'\"" for c in between)
    return (
        f"{left} {right}"
        if words or between in (":=", "..", "<=", ">=", "<>", "->", "[]", "(*", "*)")
        else left + right
    )


def _misspelling(tokens: Tokens, index: int, word: str) -> Mutation:
    text = tokens.source.text
    start, end = tokens.starts[index], tokens.ends[index]
    line = tokens.span(index).line
    what = f"{text[start:end]} -> {word}"
    return Mutation(tokens.source.path, "misspelling", text[:start] + word + text[end:], line, line, what)


def misspelt(word: str, chance: random.Random) -> str:
    """One slip of the fingers: a letter lost, doubled, changed, or two letters swapped. Never the word itself."""
    while True:
        at = chance.randrange(len(word))
        letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
        slipped = chance.choice(
            [
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word[:at] + (letter.upper() if word[at].isupper() else letter) + word[at + 1 :],
                word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
            ]
        )
        if slipped != word and slipped[:1].isalpha():
            return slipped

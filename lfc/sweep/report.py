"""What a sweep found: as a table, as data, and as JUnit's XML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from lfc.sweep.matrix import Interaction
from lfc.sweep.run import Cell


def table(cells: Sequence[Cell]) -> list[str]:
    claims = list(dict.fromkeys(c.claim for c in cells))
    rows = list(dict.fromkeys(c.configuration for c in cells))
    verdict = {(c.configuration, c.claim): "holds" if c.verdict == "holds" else c.verdict.upper() for c in cells}
    lines = [["configuration", *claims], *([r.name, *(verdict[r, c] for c in claims)] for r in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return ["  ".join(x.ljust(w) for x, w in zip(line, widths, strict=True)).rstrip() for line in lines]


def interaction_lines(found: Sequence[Interaction]) -> list[str]:
    lines = []
    for i in found:
        where = f" ({', '.join(f'{n}={v}' for n, v in i.where)})" if i.where else ""
        both = " and ".join(i.features)
        lines.append(
            f"interaction: {i.claim} holds with {i.features[0]}, and with {i.features[1]}; not with {both}{where}"
        )
    return lines


def summary(cells: Sequence[Cell]) -> str:
    configurations = len({c.configuration for c in cells})
    wrong = sum(c.code in (3, 4, 5) for c in cells)
    open_ones = sum(c.verdict == "inconclusive" for c in cells)
    parts = [f"{len(cells)} checks of {configurations} configurations: {len(cells) - wrong - open_ones} hold"]
    parts.append(f"{wrong} do not")
    if open_ones:
        parts.append(f"{open_ones} without a verdict")
    return ", ".join(parts)


def as_data(file: str, cells: Sequence[Cell], found: Sequence[Interaction]) -> dict[str, Any]:
    return {
        "version": 1,
        "file": file,
        "interactions": [
            {
                "claim": i.claim,
                "constant": i.constant,
                "features": list(i.features),
                "where": dict(i.where),
                "verdict": i.verdict,
            }
            for i in found
        ],
        "checks": [
            {
                "configuration": dict(c.configuration.values),
                "claim": c.claim,
                "verdict": c.verdict,
                "message": c.message or None,
                "states": c.states,
                "seconds": c.seconds,
                "known": c.known,
            }
            for c in cells
        ],
    }


def as_junit(file: str, cells: Sequence[Cell]) -> str:
    """A suite for each configuration, a case for each claim; what has no verdict is skipped."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<testsuites>"]
    for configuration in dict.fromkeys(c.configuration for c in cells):
        inside = [c for c in cells if c.configuration == configuration]
        wrong, skipped = (sum(f(c) for c in inside) for f in (is_wrong, is_open))
        name = quoteattr(f"{file} {configuration.name}")
        lines.append(f'  <testsuite name={name} tests="{len(inside)}" failures="{wrong}" skipped="{skipped}">')
        for c in inside:
            case = f"    <testcase classname={quoteattr(configuration.name)} name={quoteattr(c.claim)}"
            case += f' time="{c.seconds:.3f}"'
            if is_wrong(c):
                how = escape(f"lfc check {file} --for {c.claim} {c.command}")
                lines += [
                    f"{case}>",
                    f"      <failure message={quoteattr(c.message)}>{how}</failure>",
                    "    </testcase>",
                ]
            elif is_open(c):
                lines += [f"{case}>", '      <skipped message="no verdict"/>', "    </testcase>"]
            else:
                lines.append(f"{case}/>")
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>", ""])


def is_wrong(c: Cell) -> bool:
    return c.code in (3, 4, 5)


def is_open(c: Cell) -> bool:
    return c.verdict == "inconclusive"

"""The page: one HTML file with everything in it. It fetches nothing and sends nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lfc.view.arrange import arranged
from lfc.view.folding import contracted, folds
from lfc.view.picture import Picture, picture_of
from lfc.view.story import Run, Sources, actors_of, as_data

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine

HERE = Path(__file__).parent
VERSION = 1


def page(machine: Machine, file: str, verdict: list[str], runs: Sequence[Run]) -> str:
    """`verdict`: its lines, the first one large."""
    return as_html(document(machine, file, verdict, runs))


def document(machine: Machine, file: str, verdict: list[str], runs: Sequence[Run]) -> dict[str, Any]:
    sources = Sources()
    sources.number(machine.program.main.source)
    runs = [run.shortened() for run in runs]
    stories = [as_data(run, sources) for run in runs]
    picture = picture_of(machine, [block for run in runs for block in run.blocks])
    return {
        "version": VERSION,
        "file": file,
        "module": machine.program.main.name,
        "verdict": verdict,
        "picture": picture_as_data(picture, runs),
        "runs": stories,
        "sources": sources.as_data(),
    }


def picture_as_data(picture: Picture, runs: Sequence[Run]) -> dict[str, Any]:
    neighbours = picture.neighbours()
    circle = [who for run in runs[:1] for who, _, _, _ in run.circle]
    folded = folds({n.name: n.kind for n in picture.nodes.values()}, circle, actors_of(runs))
    return {
        "nodes": [{"name": n.name, "server": n.server, "environment": n.environment} for n in picture.nodes.values()],
        "channels": [
            {
                "number": c.number,
                "name": c.name,
                "sends": {who: sorted(m) for who, m in sorted(c.sends.items())},
                "receives": {who: sorted(m) for who, m in sorted(c.receives.items())},
            }
            for c in picture.channels.values()
        ],
        "folds": folded,
        "places": arranged(neighbours),
        "foldedPlaces": arranged(contracted(neighbours, folded)) if folded else None,
    }


def as_html(data: dict[str, Any]) -> str:
    """The data is text in a script element that is not run; nothing in it can end that element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    parts = {name: (HERE / f"page.{name}").read_text(encoding="utf-8") for name in ("html", "css", "js")}
    title = f"{data['module']}: {data['verdict'][0]}" if data["verdict"] else data["module"]
    found = parts["html"]
    for mark, content in (("TITLE", escaped(title)), ("STYLE", parts["css"]), ("SCRIPT", parts["js"]), ("DATA", text)):
        before, _, after = found.partition(f"<!--{mark}-->")
        found = before + content + after
    return found


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

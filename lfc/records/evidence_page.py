"""The evidence of an image as one page of HTML, with nothing in it that runs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from lfc.diagnostics.visible import visible
from lfc.records.evidence import Evidence

STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td,th{border:1px solid #bbb;padding:.3em .5em;text-align:left;"
    "vertical-align:top}.proved{color:#06602a}.violated{color:#a00}.open{color:#8a5a00}code{overflow-wrap:anywhere}"
)


def as_html(e: Evidence) -> str:
    rows = [
        [text(r["uid"]), text(r["title"] or r["statement"]), state(r["state"]), words(r["properties"])]
        for r in e.requirements
    ]
    body = [
        f"<h1>{text(e.program)} on {text(e.board)}</h1>",
        f"<p>Image <code>{text(e.image)}</code></p>",
        "<h2>Requirements</h2>",
        table(["requirement", "", "state", "properties"], rows),
        "<h2>Properties</h2>",
        table(
            ["property", "formula", "verdict", "assuming", "record"],
            [
                [
                    f"<b>{text(p['name'])}</b><br>{text(p['file'])}:{p['line']}",
                    f"<code>{text(p['text'])}</code>",
                    state(p["state"], p["verdict"]),
                    words(p["assumptions"]),
                    text(p["record"] or "-"),
                ]
                for p in e.properties
            ],
        ),
        "<h2>Not covered</h2>",
        listing("Requirements without a property", e.without_property),
        listing("Properties without a requirement", e.without_requirement),
        listing("Requirements that the program names and the document does not", e.not_listed),
        "<h2>Checks of this image</h2>",
        table(
            ["record", "verdict", "states", "when", "toolchain", "assuming", "machine code", "against it", "left out"],
            [
                [
                    text(r["file"]) + signature(r),
                    text(r["verdict"]),
                    str(r["states"]),
                    text(r["checked_at"]),
                    words([f"{k} {v}" for k, v in r["toolchain"].items()]),
                    words(r["assumptions"]),
                    machine_code(r["image_checked"]),
                    words(r["objections"]),
                    words(r["left_out"]),
                ]
                for r in e.records
            ],
        ),
        "<h2>Tests on the board, or on an emulator of it</h2>",
        table(
            ["run", "on", "verdict", "covers", "tests", "mutants"],
            [
                [
                    text(t["file"]),
                    text(t["place"]),
                    text(t["verdict"]),
                    text(t["cover"] + ("" if t["complete"] else ", not of all states")),
                    counts(t["tests"]),
                    counts(t["mutants"]),
                ]
                for t in e.tests
            ],
        ),
        "<h2>Files of this image</h2>",
        table(
            ["form", "SHA-256"],
            [[text(f), f"<code>{text(d)}</code>"] for r in e.records[:1] for f, d in r["files"].items()],
        ),
        "<h2>Known problems of this version</h2>",
        table(
            ["", "problem", "what to do"],
            [
                [text(p["id"]), f"<b>{text(p['title'])}</b><br>{text(p['what'])}", text(p["instead"])]
                for p in e.known_problems
            ],
        ),
        "<p>What a check does not look at, and how the tools are classified, is in the toolchain's safety manual.</p>",
    ]
    head = f'<meta charset="utf-8"><title>Evidence: {text(e.program)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(body) + "\n</body></html>\n"


def text(said: str) -> str:
    return escape("\n".join(map(visible, said.split("\n"))))


def signature(record: dict[str, Any]) -> str:
    """Of whom is for the reader to know, who has the fingerprints of keys."""
    keys = [f"signed with {key}" for key in record["signed_with"]]
    return "<br>" + words(keys or ["has a signature that was not verified" if record["signed"] else "not signed"])


def machine_code(checked: dict[str, Any] | None) -> str:
    if checked is None:
        return "was not executed"
    return text(f"{checked['verdict']}, {checked.get('states', 0)} states")


def state(name: str, said: str = "") -> str:
    return f'<span class="{text(name)}">{text(said or name)}</span>'


def words(said: Sequence[str]) -> str:
    return "<br>".join(map(text, said)) or "-"


def counts(said: dict[str, int]) -> str:
    return words([f"{count} {what}" for what, count in said.items()])


def listing(title: str, said: Sequence[str]) -> str:
    return f"<p>{text(title)}: {', '.join(map(text, said)) or 'none'}.</p>"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["<tr>" + "".join(f"<th>{text(h)}</th>" for h in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return "<table>\n" + "\n".join(lines) + "\n</table>"

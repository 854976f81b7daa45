"""Lenses: above each claim its verdict, above the module what can be done with the program."""

from __future__ import annotations

from lsprotocol import types as lsp

from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.buffers import Buffers
from lfc.editor.verification.claims import Claim, ClaimKind, claims_in
from lfc.editor.verification.job import HOLDS, VIOLATED, Verdict
from lfc.editor.verification.verdicts import Checked, Verdicts

CHECK, PLAY, CANCEL, RUN, FLASH = "lf.check", "lf.counterexample", "lf.cancel", "lf.run", "lf.flash"
MARKS = {HOLDS: "\u2713", VIOLATED: "\u2717"}
UNKNOWN_MARK = "?"


def lenses(
    analysis: Analysis, verdicts: Verdicts, buffers: Buffers, uri: str, busy: bool, client: frozenset[str]
) -> list[lsp.CodeLens]:
    """`client`: commands that the editor has itself."""
    found = []
    for claim in claims_in(analysis):
        if claim.kind is ClaimKind.DEADLOCK:
            continue
        where = analysis.lines.range(claim.span.start, claim.span.end)
        verdict, checked = verdicts.of(analysis, claim, buffers)
        for title, command, arguments in commands(claim, verdict, checked, uri, busy, client):
            found.append(lsp.CodeLens(where, lsp.Command(title, command, arguments=arguments)))
    return found


def commands(
    claim: Claim, verdict: Verdict, checked: Checked | None, uri: str, busy: bool, client: frozenset[str]
) -> list[tuple[str, str, list[object]]]:
    found: list[tuple[str, str, list[object]]] = [(title_of(claim, verdict, checked, busy), CHECK, [uri, claim.id])]
    if verdict.status == VIOLATED and claim.kind is not ClaimKind.PROCESS:
        found.append(("play counterexample", PLAY, [uri, claim.id]))
    if claim.kind is ClaimKind.PROGRAM:
        if busy:
            found.append(("cancel", CANCEL, [uri]))
        found += [(name, command, [uri]) for name, command in (("run", RUN), ("flash", FLASH)) if command in client]
    return found


def title_of(claim: Claim, verdict: Verdict, checked: Checked | None, busy: bool) -> str:
    if busy:
        return "checking ..."
    mark = MARKS.get(verdict.status, UNKNOWN_MARK)
    if claim.kind is ClaimKind.PROCESS and verdict.status == HOLDS:
        said = "never stuck, no fault"
    else:
        said = {HOLDS: "holds", VIOLATED: short(verdict.message)}.get(verdict.status, f"unknown: {verdict.message}")
    parts = [f"{mark} {said}"]
    if verdict.states and verdict.status in MARKS:
        parts.append(f"{verdict.states:,} state{'s' * (verdict.states != 1)}")
    if checked is not None and verdict.status in MARKS:
        parts.append(f"checked at {checked.at}")
        if claim.kind is ClaimKind.PROGRAM:
            parts += [f"{len(checked.answer.assumptions)} assumed"] * bool(checked.answer.assumptions)
            parts += [f"image {checked.answer.image}"] * bool(checked.answer.image)
    return " \u00b7 ".join(parts)


def verdict_at(
    analysis: Analysis, verdicts: Verdicts, buffers: Buffers, position: lsp.Position, busy: bool
) -> lsp.Hover | None:
    """What the lens says of the claim that is declared here, and its counterexample: for editors without lenses."""
    offset = analysis.lines.offset(position)
    claims = (c for c in claims_in(analysis) if c.kind in (ClaimKind.PROPERTY, ClaimKind.ASSERT, ClaimKind.PROCESS))
    claim = next((c for c in claims if c.span.start <= offset < c.span.end), None)
    if claim is None:
        return None
    verdict, checked = verdicts.of(analysis, claim, buffers)
    parts = [title_of(claim, verdict, checked, busy)]
    if verdict.status == VIOLATED and verdict.text and not busy and claim.kind is not ClaimKind.PROCESS:
        parts.append(f"```text\n{verdict.text.rstrip()}\n```")
    where = analysis.lines.range(claim.span.start, claim.span.end)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n".join(parts)), where)


def joined(first: lsp.Hover | None, second: lsp.Hover | None) -> lsp.Hover | None:
    if first is None or second is None:
        return first or second
    assert isinstance(first.contents, lsp.MarkupContent) and isinstance(second.contents, lsp.MarkupContent)
    text = f"{first.contents.value}\n\n---\n\n{second.contents.value}"
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), second.range)


def short(text: str, most: int = 70) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."

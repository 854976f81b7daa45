"""Checks on save and by command, lenses, and what a view of tests shows."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from lfc.editor.analysis.addresses import path_of, uri_of
from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.positions import Lines
from lfc.editor.verification.claims import ClaimKind, claims_in
from lfc.editor.verification.cycles import CYCLES, told
from lfc.editor.verification.job import UNKNOWN, Job, Step, Verdict
from lfc.editor.verification.lenses import CANCEL, CHECK, PLAY, lenses
from lfc.editor.verification.supervise import Supervisor
from lfc.editor.verification.verdicts import Checked, Verdicts, environments_of, is_fresh, job_of

if TYPE_CHECKING:
    from lfc.editor.server.main import Server

BUDGET = 2.0  # seconds of a check on save
MEASURED = 20.0  # seconds, for the longest passes
VERDICTS = "lf/verdicts"  # a notification: the verdicts of a text have changed


class Checker:
    """Asks for checks, keeps their verdicts, and tells the editor when one has come."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.verdicts, self.supervisor = Verdicts(), Supervisor()
        self.measured: dict[str, Checked] = {}  # by path: the longest passes
        self.told: dict[str, list[dict[str, object]]] = {}  # by uri: what the editor knows
        self.tasks: set[asyncio.Task[object]] = set()

    def analysis(self, uri: str) -> Analysis | None:
        return self.server.session.analysis(uri)

    def busy(self, uri: str) -> bool:
        return path_of(uri) in self.supervisor.running

    def start(self, uri: str, seconds: float, claim: str = "") -> None:
        self.begin(self.check(uri, seconds, claim))

    def begin(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def check(self, uri: str, seconds: float, claim: str = "") -> list[dict[str, object]]:
        """What is known then."""
        analysis = self.analysis(uri)
        if analysis is None or analysis.diagnostics.has_errors or not claims_in(analysis):
            return self.items(uri)
        job = job_of(analysis, self.server.session.buffers, seconds, claim)
        checking = asyncio.ensure_future(self.supervisor.check(job))
        await asyncio.sleep(0)
        self.refresh()
        answer = await checking
        if answer is not None:
            self.verdicts.put(job, answer, time.strftime("%H:%M:%S"))
            if job.board:
                self.begin(self.measure(job))
        self.refresh()
        return self.items(uri)

    async def measure(self, job: Job) -> None:
        """The longest passes on the project's board, for hovers."""
        job = replace(job, claim=CYCLES, seconds=MEASURED)
        answer = await self.supervisor.check(job, beside=CYCLES)
        if answer is not None and answer.cycles:
            self.measured[job.path] = Checked(job, answer, "")

    def longest_pass(self, analysis: Analysis, process: str) -> str:
        """In words; nothing: it is not known of the texts as they are now."""
        known = self.measured.get(analysis.source.path)
        if known is None or not is_fresh(known, analysis, self.server.session.buffers):
            return ""
        found = known.answer.cycles.get(process)
        return "" if found is None else told(found, known.answer.clock, known.answer.complete, known.job.board)

    def changed(self, path: str) -> None:
        """A check of what is no more is of no use."""
        for run in list(self.supervisor.running.values()):
            known = self.server.session.known.get(run.job.path)
            used = {path} if known is None else {*known.used, *run.job.environments}
            if path in used and self.server.session.buffers.text_of(path) != run.job.texts.get(path):
                self.supervisor.cancel(run.key)

    def saved(self, path: str) -> None:
        """Every open program that the file is a part of is checked, for a little time."""
        session = self.server.session
        for buffer in session.buffers.all.values():
            analysis = session.analysis_of(buffer.path)
            if analysis is None or analysis.program is None:
                continue
            if analysis.program.main.environment or analysis.program.main.monitor:
                continue
            environments = environments_of(analysis.setting, buffer.path)
            if path in session.known[buffer.path].used or path in environments:
                self.start(buffer.uri, BUDGET)

    def close(self, uri: str) -> None:
        """Nobody waits for the verdicts of a text that is closed."""
        self.supervisor.cancel(path_of(uri))
        self.supervisor.cancel(CYCLES + path_of(uri))
        if self.told.pop(uri, []):
            self.server.protocol.notify(VERDICTS, {"uri": uri, "items": []})

    def refresh(self) -> None:
        """Tells of all texts whose verdicts are others now, and lets the editor ask for lenses again."""
        self.tell_changed()
        workspace = self.server.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.server.workspace_code_lens_refresh(None)

    def refresh_changed(self) -> None:
        """A file may have changed that is not open: the editor would not ask by itself."""
        if self.tell_changed():
            self.refresh()

    def tell_changed(self) -> bool:
        changed = False
        for buffer in self.server.session.buffers.all.values():
            items = self.items(buffer.uri)
            if self.told.get(buffer.uri) != items:
                self.told[buffer.uri], changed = items, True
                self.server.protocol.notify(VERDICTS, {"uri": buffer.uri, "items": items})
        return changed

    def items(self, uri: str) -> list[dict[str, object]]:
        """Of each claim: what a view of tests shows."""
        analysis = self.analysis(uri)
        if analysis is None:
            return []
        found = []
        for claim in claims_in(analysis):
            if claim.kind in (ClaimKind.PROGRAM, ClaimKind.PROCESS):
                continue
            verdict, checked = self.verdicts.of(analysis, claim, self.server.session.buffers)
            found.append(
                {
                    "id": claim.id,
                    "label": claim.name,
                    "kind": claim.kind.value,
                    "range": range_data(analysis.lines, claim.span.start, claim.span.end),
                    "status": verdict.status,
                    "message": verdict.message if verdict.status != "holds" else "",
                    "states": verdict.states,
                    "at": checked.at if checked is not None else "",
                    "where": self.where(verdict),
                }
            )
        return found

    def where(self, verdict: Verdict) -> dict[str, object] | None:
        return None if not verdict.path else self.place(verdict.path, verdict.start, verdict.end)

    def place(self, path: str, start: int, end: int) -> dict[str, object] | None:
        text = self.server.session.buffers.text_of(path)
        return None if text is None else {"uri": uri_of(path), "range": range_data(Lines(text), start, end)}

    def verdict(self, uri: str, claim_id: str) -> Verdict | None:
        """None: nothing is known of it now."""
        analysis = self.analysis(uri)
        claim = None if analysis is None else next((c for c in claims_in(analysis) if c.id == claim_id), None)
        if analysis is None or claim is None:
            return None
        verdict, _ = self.verdicts.of(analysis, claim, self.server.session.buffers)
        return None if verdict.status == UNKNOWN else verdict

    def counterexample(self, uri: str, claim: str) -> dict[str, object] | None:
        verdict = self.verdict(uri, claim)
        if verdict is None or not verdict.steps:
            return None
        steps = [self.step(s) for s in verdict.steps]
        return {"message": verdict.message, "text": verdict.text, "steps": steps, "cycle": verdict.cycle}

    def step(self, s: Step) -> dict[str, object]:
        where = self.place(s.path, s.start, s.end) if s.path else None
        return {"who": s.who, "deed": s.deed, "where": where, "changed": s.changed}


def range_data(lines: Lines, start: int, end: int) -> dict[str, dict[str, int]]:
    r = lines.range(start, end)
    return {
        "start": {"line": r.start.line, "character": r.start.character},
        "end": {"line": r.end.line, "character": r.end.character},
    }


# --- messages --------------------------------------------------------------------------------------------------------


def register(server: Server) -> None:
    checker = server.checker

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.session.forget()
        server.publisher.schedule()
        checker.saved(path_of(params.text_document.uri))

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def shown(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        analysis = checker.analysis(uri)
        if analysis is None:
            return []
        buffers = server.session.buffers
        return lenses(analysis, checker.verdicts, buffers, uri, checker.busy(uri), server.client_commands)

    @server.command(CHECK)
    async def check(uri: str, *more: Any) -> list[dict[str, Any]]:
        """Of one claim, or of all; within so many seconds, or as long as it takes."""
        claim, seconds = str(more[0]) if more else "", float(more[1]) if len(more) > 1 else 0.0
        claim = "" if claim in ("program", "deadlock") or claim.startswith("process:") else claim
        return await checker.check(uri, seconds, claim)

    @server.command(CANCEL)
    def cancel(uri: str) -> bool:
        was = checker.supervisor.cancel(path_of(uri))
        checker.refresh()
        return was

    @server.command(PLAY)
    def play(uri: str, claim: str) -> dict[str, Any] | None:
        """The steps; in an editor that does not play them, their text is opened."""
        found = checker.counterexample(uri, claim)
        window = server.client_capabilities.window
        can_show = window is not None and window.show_document is not None and window.show_document.support
        if found is not None and PLAY not in server.client_commands and can_show:
            server.window_show_document(lsp.ShowDocumentParams(uri_of(written(str(found["text"])))), callback=ignore)
        return found


def ignore(_: object) -> None:
    """What the editor answers to what it was only told."""


def written(text: str) -> str:
    folder = Path(tempfile.mkdtemp(prefix="lfc-counterexample-"))
    file = folder / "counterexample.txt"
    file.write_text(text + "\n", encoding="utf-8")
    return str(file)

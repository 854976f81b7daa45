"""The process that checks one program for the editor: reads a job, writes an answer, ends. Whoever started it may kill
it at any time.

    python -m lfc.editor.verification.worker
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lfc.actions.as_data import program_digest
from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics
from lfc.editor.analysis.project import chip_of, setting_of
from lfc.editor.verification.claims import assert_id, path_of, processes_of
from lfc.editor.verification.cycles import CYCLES, longest_passes
from lfc.editor.verification.job import HOLDS, UNKNOWN, VIOLATED, Answer, Job, Step, Verdict, digest
from lfc.front_end.load import check_source
from lfc.mcheck.check import check
from lfc.mcheck.model.open_module import NotClosed, close
from lfc.mcheck.report.text_findings import tell_finding
from lfc.mcheck.request.request import AUTO, Request, request_from
from lfc.mcheck.request.resources import free_memory, processors
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.finding import Verdict as Found
from lfc.mcheck.result.result import CheckResult
from lfc.records.store import all_records, records_folder
from lfc.run.names import live_processes
from lfc.run.steps import StepPrinter
from lfc.semantics.model import typed
from lfc.semantics.model.visit import statements

SHARE = 2  # of the free memory, one in so many: an editor lives beside
LEAST = 0.2  # seconds that are worth a search
DEADLOCKS = (Found.DEADLOCK, Found.PARTIAL_DEADLOCK)
NO_TIME = "no verdict within {:g} s; check it without a limit of time"


class Refused(Exception):
    """Why nothing can be checked."""


class Checking:
    def __init__(self, job: Job) -> None:
        self.job, self.begin = job, time.monotonic()
        self.answer = Answer()
        self.verdicts: dict[str, Verdict] = {}

    def run(self) -> Answer:
        try:
            self.check_all()
        except Refused as why:
            self.answer.error = str(why)
        except Exception as error:  # the editor says so; its own process lives on
            self.answer.error = f"internal error: {type(error).__name__}: {error}"
        self.answer.verdicts = list(self.verdicts.values())
        self.answer.seconds = round(time.monotonic() - self.begin, 3)
        return self.answer

    def check_all(self) -> None:
        machine, request = self.load()
        if self.job.claim == CYCLES:
            told = longest_passes(machine, self.job.board, str(Path(self.job.path).parent), self.left())
            self.answer.cycles, self.answer.clock, self.answer.complete = told
            return
        main = machine.program.modules[[m.source.path for m in machine.program.modules].index(self.job.path)]
        asserts = list(asserts_of(main))
        if self.job.claim and self.job.claim not in ("program", "deadlock"):
            self.check_one(machine, request, self.job.claim)
            return
        result = check(machine, request)
        self.answer.assumptions = result.assumptions
        self.take(machine, result, main, asserts)
        self.say_of_processes(machine, result, main)
        for claim in [*(f"property:{p.name}" for p in main.properties), *map(assert_id, asserts), "deadlock"]:
            if claim not in self.verdicts:
                self.check_one(machine, request, claim)

    # --- the program -------------------------------------------------------------------------------------------------

    def load(self) -> tuple[Machine, Request]:
        job, diagnostics = self.job, Diagnostics()
        around = [] if job.claim == CYCLES else job.environments  # an image has none
        texts = [Source(path, text) for path, text in job.texts.items()]
        by_path = {s.path: s for s in texts}
        main, *environments = (by_path.get(p) or Source.read(p) for p in (job.path, *around))
        chip = chip_of(job.board)
        path = setting_of(job.path).modules
        program = check_source(main, diagnostics, path=path, environments=environments, chip=chip, instead=texts)
        if program is None or diagnostics.has_errors:
            raise Refused("the program has errors")
        self.answer.digests = {m.source.path: digest(m.source.text) for m in program.modules}
        if program.main.environment:
            raise Refused("an ENVIRONMENT MODULE is checked with the program that it is for")
        machine = build_machine(program, diagnostics, with_environment=bool(environments))
        if diagnostics.has_errors:
            raise Refused("the program has errors")
        self.answer.image = image_of(machine, job)
        request = self.request()
        if not job.board:
            machine, request = closed(machine, request, job.path)
        return machine, request

    def request(self) -> Request:
        memory = free_memory() // SHARE
        return request_from(seconds=self.left(), memory=memory, threads=processors()).changed(reductions=(AUTO,))

    def left(self) -> float:
        """Seconds; 0: as many as it takes."""
        if not self.job.seconds:
            return 0.0
        return max(0.001, self.begin + self.job.seconds - time.monotonic())

    # --- verdicts ----------------------------------------------------------------------------------------------------

    def say(self, verdict: Verdict) -> None:
        self.verdicts.setdefault(verdict.claim, verdict)

    def take(self, machine: Machine, result: CheckResult, main: typed.Module, asserts: list[Span]) -> None:
        """What the check of the whole program says of each claim: an error that it stops at leaves others open."""
        for finding in result.findings:
            for claim in claims_of(finding, main):
                self.say(violated(machine, finding, claim, result.states))
        if result.verdict == Found.HOLDS:
            self.say(Verdict("program", HOLDS, states=result.states))
            self.say(Verdict("deadlock", HOLDS, states=result.states))
            for span in asserts:
                self.say(Verdict(assert_id(span), HOLDS, states=result.states))
        elif result.findings:
            self.say(violated(machine, result.findings[0], "program", result.states))
        else:
            self.say(Verdict("program", UNKNOWN, self.reason(result), result.states))
        for p in result.properties:
            if p["verdict"] == HOLDS:
                self.say(Verdict(f"property:{p['name']}", HOLDS, states=int(str(p["states"]))))

    def reason(self, result: CheckResult) -> str:
        if result.reason.startswith("time limit"):
            return NO_TIME.format(self.job.seconds)
        return result.reason or "no verdict"

    def check_one(self, machine: Machine, request: Request, claim: str) -> None:
        """By itself, on its slice: whatever else is wrong."""
        if self.job.seconds and self.left() < LEAST:
            self.say(Verdict(claim, UNKNOWN, NO_TIME.format(self.job.seconds)))
            return
        kind, _, rest = claim.partition(":")
        only = kind if kind == "deadlock" else rest.partition(":")[0]
        result = check(machine, request.changed(seconds=self.left(), only=(only,)))
        main = next(m for m in machine.program.modules if m.source.path == self.job.path)
        found = next((f for f in result.findings if claim in claims_of(f, main)), None)
        if found is not None:
            self.say(violated(machine, found, claim, result.states))
        elif result.verdict == Found.HOLDS or (claim, HOLDS) in of_properties(result):
            self.say(Verdict(claim, HOLDS, states=result.states))
        elif result.findings:
            self.say(Verdict(claim, UNKNOWN, "another error was found first", result.states))
        else:
            self.say(Verdict(claim, UNKNOWN, self.reason(result), result.states))

    def say_of_processes(self, machine: Machine, result: CheckResult, main: typed.Module) -> None:
        """A process is in order if the program is; wrong, if it waits for ever or an error lies in it."""
        for process in processes_of(main):
            claim = f"process:{path_of(process)}"
            wrong = next((f for f in result.findings if concerns(machine, f, process)), None)
            if wrong is not None:
                self.say(replace(violated(machine, wrong, claim, result.states)))
            elif result.verdict == Found.HOLDS:
                self.say(Verdict(claim, HOLDS, states=result.states))
            else:
                self.say(Verdict(claim, UNKNOWN, "an error elsewhere" if result.findings else self.reason(result)))


def closed(machine: Machine, request: Request, path: str) -> tuple[Machine, Request]:
    """A module that is checked alone gets partners, as on the command line."""
    try:
        made = close(machine, path, ())
    except NotClosed as why:
        return machine, request.changed(world=replace(request.world, outside=f"partners cannot be generated ({why})"))
    if made is None:
        return machine, request
    world = replace(request.world, outside=made.assumption, open_messages=made.messages)
    return made.machine, request.changed(world=world)


def asserts_of(main: typed.Module) -> Iterator[Span]:
    for body in (main.body, *(p.body for p in processes_of(main))):
        yield from (s.span for s in statements(body) if isinstance(s, typed.Assert))


def of_properties(result: CheckResult) -> set[tuple[str, str]]:
    return {(f"property:{p['name']}", str(p["verdict"])) for p in result.properties}


def claims_of(finding: Finding, main: typed.Module) -> list[str]:
    """Which it violates."""
    if finding.kind in DEADLOCKS:
        return ["deadlock"]
    if finding.span.source.path != main.source.path:
        return []
    if finding.kind == Found.ASSERTION:
        return [assert_id(finding.span)]
    if finding.kind == Found.PROPERTY:
        start = finding.span.start
        named = [p.name for p in main.properties if p.span.start == start]
        return [f"property:{name}" for name in named]
    return []


def concerns(machine: Machine, finding: Finding, process: typed.Process) -> bool:
    if finding.kind in DEADLOCKS:
        of = finding.machine or machine
        stuck = {*finding.waiting}
        there = live_processes(of, finding.blocks[-1])
        return any(p.slot in stuck and p.record.body.name == process.qualified_name for p in there)
    if finding.kind not in (Found.ASSERTION, Found.FAULT) or process.end_span is None:
        return False
    span = finding.span
    inside = process.span.start <= span.start < process.end_span.start
    return span.source.path == process.span.source.path and inside


def violated(machine: Machine, finding: Finding, claim: str, states: int) -> Verdict:
    span, of = finding.span, finding.machine or machine
    return Verdict(
        claim,
        VIOLATED,
        finding.message,
        states,
        span.source.path,
        span.start,
        span.end,
        finding.doubt,
        "\n".join(tell_finding(machine, finding)),
        steps_of(of, finding),
        None if finding.run is None or finding.run.lost else finding.run.cycle,
    )


def steps_of(machine: Machine, finding: Finding) -> list[Step]:
    printer = StepPrinter(machine, finding.blocks[0])
    found = []
    for number, items in enumerate(finding.steps):
        if number + 1 < len(finding.blocks):
            s = printer.step_text(items, finding.blocks[number + 1])
            span = s.span
            place = ("", -1, -1) if span is None else (span.source.path, span.start, span.end)
            found.append(Step(s.who, s.told, *place, s.changed))
        else:
            end = finding.span
            found.append(Step("", finding.message, end.source.path, end.start, end.end, {}))
    return found


def image_of(machine: Machine, job: Job) -> str:
    """The newest image of the project that a record says was made of this very program."""
    if not job.board:
        return ""
    wanted = program_digest(machine).hex()
    folder = records_folder(Path(job.path).parent)
    found = next((s.record for s in all_records([folder]) if s.record.program == wanted), None)
    return "" if found is None else f"{found.image[:16]} for {found.board}"


def end_with_the_editor() -> None:
    """Whoever started this process holds its standard input open, and closes it when it ends, however it does."""
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)  # whatever else is printed
        line = sys.stdin.readline()
        if line:
            threading.Thread(target=end_with_the_editor, daemon=True).start()
            answers.write(Checking(Job.of_line(line)).run().to_line())


if __name__ == "__main__":
    main()

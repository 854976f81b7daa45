"""The last verdicts of each program, and whether they are of the texts as they are now: else nothing is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lfc.base.library_folder import LIBRARY
from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.buffers import Buffers
from lfc.editor.analysis.project import Setting
from lfc.editor.verification.claims import Claim
from lfc.editor.verification.job import UNKNOWN, Answer, Job, Verdict, digest

CHANGED = "changed since it was checked"
NEVER = "not checked yet"


@dataclass(slots=True)
class Checked:
    job: Job
    answer: Answer
    at: str  # time of day


@dataclass(slots=True)
class Verdicts:
    all: dict[str, Checked] = field(default_factory=dict)  # by path of the main module

    def put(self, job: Job, answer: Answer, at: str) -> None:
        """What one claim's check says goes beside what is known of the same texts."""
        before = self.all.get(job.path)
        if job.claim and before is not None and before.answer.digests == answer.digests:
            new = {v.claim for v in answer.verdicts}
            answer.verdicts += [v for v in before.answer.verdicts if v.claim not in new]
        self.all[job.path] = Checked(job, answer, at)

    def of(self, analysis: Analysis, claim: Claim, buffers: Buffers) -> tuple[Verdict, Checked | None]:
        """Without what it was checked with: nothing is known."""
        checked = self.all.get(analysis.source.path)
        if checked is None:
            return Verdict(claim.id, UNKNOWN, NEVER), None
        if not is_fresh(checked, analysis, buffers):
            return Verdict(claim.id, UNKNOWN, CHANGED), None
        if checked.answer.error:
            return Verdict(claim.id, UNKNOWN, checked.answer.error), None
        found = next((v for v in checked.answer.verdicts if v.claim == claim.id), None)
        return found or Verdict(claim.id, UNKNOWN, NEVER), checked


def is_fresh(checked: Checked, analysis: Analysis, buffers: Buffers) -> bool:
    """Whether all that was checked is as it was: every text, whom an import finds, the board, the environment."""
    job, digests = checked.job, checked.answer.digests
    if (job.board, job.environments) != (
        board_of(analysis.setting, job.path),
        environments_of(analysis.setting, job.path),
    ):
        return False
    texts = {t.module.source.path: t.module.source.text for t in analysis.occurrences.texts}
    if checked.answer.error and not digests:
        return job.texts.get(job.path) == texts.get(job.path)
    if not texts.keys() <= digests.keys():
        return False
    for path, was in digests.items():
        if Path(path).is_relative_to(LIBRARY):
            continue
        text = buffers.text_of(path)
        if text is None or digest(text) != was or digest(texts.get(path, text)) != was:
            return False
    return True


def job_of(analysis: Analysis, buffers: Buffers, seconds: float, claim: str = "") -> Job:
    path, setting = analysis.source.path, analysis.setting
    texts = {b.path: b.source.text for b in buffers.all.values()}
    return Job(path, texts, environments_of(setting, path), board_of(setting, path), seconds, claim)


def board_of(setting: Setting, path: str) -> str:
    """The project's program is checked for its board, as `lfc check` does; tests beside it for this machine."""
    return setting.board if path == setting.main else ""


def environments_of(setting: Setting, path: str) -> list[str]:
    """The project's; of any other program `NAME_env.lf`, if that is there."""
    if path == setting.main and setting.environments:
        return list(setting.environments)
    if path.startswith("<"):
        return []
    file = Path(path)
    beside = file.with_name(f"{file.stem}_env.lf")
    return [str(beside)] if beside.is_file() else []

"""Verdicts of the process that checks for the editor: those of the command line, and never of other texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lfc.editor.server.session import Session
from lfc.editor.verification.claims import claims_in
from lfc.editor.verification.job import Answer, Job
from lfc.editor.verification.verdicts import Verdicts, job_of
from lfc.editor.verification.worker import Checking
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.editor.programs import MIXED

STATUS = {"holds": "holds", "property": "violated", "inconclusive": "unknown"}


def session_of(*files: Path) -> Session:
    session = Session(folders=[str(files[0].parent)])
    for file in files:
        session.open(file.as_uri(), file.read_text(encoding="utf-8"), 1)
    return session


def job(session: Session, file: Path, claim: str = "") -> Job:
    analysis = session.analysis_of(str(file))
    assert analysis is not None
    return job_of(analysis, session.buffers, 0, claim)


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        ("traffic.lf", "traffic_env.lf"),
        ("philosophers.lf", ""),
        ("semaphore.lf", ""),
        ("mutex.lf", ""),
        ("peterson2.lf", ""),
        ("window.lf", ""),
    ],
)
def test_the_editor_says_what_the_command_line_says(name: str, environment: str) -> None:
    file = ROOT / "examples" / name
    answer = Checking(job(session_of(file), file)).run()
    assert answer.error == ""
    found = {v.claim: v for v in answer.verdicts}
    more = ["--env", str(file.with_name(environment))] if environment else []
    told = json.loads(lfc("check", str(file), *more, "--json").out)
    assert (found["program"].status, found["program"].states) == (
        "holds" if told["verdict"] == "holds" else "violated",
        told["states"],
    )
    assert answer.assumptions == told["assumptions"]
    assert {p["name"]: STATUS[p["verdict"]] for p in told["properties"]} == {
        claim.removeprefix("property:"): v.status for claim, v in found.items() if claim.startswith("property:")
    }
    for error in told["errors"]:
        assert len(found["program"].steps) == len(error["trace"])
        assert found["program"].message == error["message"]


@pytest.mark.parametrize(
    ("claim", "asked", "exit_code"),
    [
        ("property:low", "low", 5),
        ("property:fine", "fine", 0),
        ("assert:9:37", "9", 4),
        ("assert:13:16", "13", 0),
        ("deadlock", "deadlock", 3),
    ],
)
def test_a_claim_by_itself(tmp_path: Path, claim: str, asked: str, exit_code: int) -> None:
    file = tmp_path / "Mixed.lf"
    file.write_text(MIXED)
    answer = Checking(job(session_of(file), file, claim)).run()
    found = {v.claim: v.status for v in answer.verdicts}
    assert found[claim] == ("holds" if exit_code == 0 else "violated")
    assert lfc("check", str(file), "--for", asked).exit == exit_code


def statuses(session: Session, verdicts: Verdicts, file: Path) -> set[str]:
    analysis = session.analysis_of(str(file))
    assert analysis is not None
    return {verdicts.of(analysis, claim, session.buffers)[0].status for claim in claims_in(analysis)}


@pytest.fixture
def project(tmp_path: Path) -> tuple[Session, Verdicts, Path]:
    """Main imports Part; World, its environment, imports Far: all in files, Main and Part open too."""
    texts = {
        "Main": "MODULE Main;\nIMPORT Part, SYSTEM;\nVAR x : UINT8;\nBEGIN\n  x := PORTIN(Part.N)\nEND Main.\n",
        "Part": "MODULE Part;\nCONST N* = 3;\nEND Part.\n",
        "World": "ENVIRONMENT MODULE World;\nIMPORT SYSTEM, Far;\nVAR a : UINT32;\nPROCESS P SERVER;\nBEGIN\n"
        "  LOOP SYSTEM.IOPORT?PORTIN(8, a); SYSTEM.IOPORT!VALUE(Far.V) END\nEND P;\nBEGIN\n  CREATE P\nEND World.\n",
        "Far": "MODULE Far;\nCONST V* = 7;\nEND Far.\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.lf").write_text(text)
    (tmp_path / "lf.toml").write_text('main = "Main.lf"\nboard = "uno"\nenv = ["World.lf"]\n')
    file = tmp_path / "Main.lf"
    session, verdicts = session_of(file, tmp_path / "Part.lf"), Verdicts()
    wanted = job(session, file)
    assert (wanted.board, wanted.environments) == ("uno", [str(tmp_path / "World.lf")])
    answer = Checking(wanted).run()
    assert answer.error == "" and len(answer.digests) == 4
    verdicts.put(wanted, Answer.of_line(answer.to_line()), "10:00:00")
    return session, verdicts, tmp_path


def test_verdicts_are_of_exactly_these_texts(project: tuple[Session, Verdicts, Path]) -> None:
    session, verdicts, folder = project
    main = folder / "Main.lf"
    assert statuses(session, verdicts, main) == {"holds"}
    for name in ("Main.lf", "Part.lf", "World.lf", "Far.lf"):
        file = folder / name
        text = file.read_text()
        session.put(file.as_uri(), text + " ", 2)  # in the editor
        assert statuses(session, verdicts, main) == {"unknown"}, name
        session.close(file.as_uri())
        assert statuses(session, verdicts, main) == {"holds"}, name
        file.write_text(text + "(* *)")  # on the disk
        session.forget()
        assert statuses(session, verdicts, main) == {"unknown"}, name
        file.write_text(text)
        session.forget()
        assert statuses(session, verdicts, main) == {"holds"}, name


@pytest.mark.parametrize("change", [('"uno"', '"mega2560"'), ('env = ["World.lf"]', ""), ('"Main.lf"', '"Part.lf"')])
def test_verdicts_are_of_the_board_and_the_environment(
    project: tuple[Session, Verdicts, Path], change: tuple[str, str]
) -> None:
    session, verdicts, folder = project
    settings = folder / "lf.toml"
    settings.write_text(settings.read_text().replace(*change))
    session.forget()
    assert statuses(session, verdicts, folder / "Main.lf") == {"unknown"}


def test_verdicts_are_of_the_modules_that_imports_find_now(project: tuple[Session, Verdicts, Path]) -> None:
    """Another file takes the place of one that was read."""
    session, verdicts, folder = project
    (folder / "Part.lf").rename(folder / "part.lf")
    session.close((folder / "Part.lf").as_uri())
    assert statuses(session, verdicts, folder / "Main.lf") == {"unknown"}


def test_what_cannot_be_checked_is_said(tmp_path: Path) -> None:
    file = tmp_path / "World.lf"
    file.write_text("ENVIRONMENT MODULE World;\nEND World.\n")
    assert "is checked with the program" in Checking(job(session_of(file), file)).run().error
    file.write_text("MODULE World;\nVAR x : Y;\nEND World.\n")
    assert Checking(job(session_of(file), file)).run().error == "the program has errors"

"""The pages of `lfc explain`: the wrong example gives exactly its code, the right one no error. All are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from lfc.diagnostics.catalogue import CATALOGUE
from lfc.diagnostics.explain import page
from lfc.diagnostics.model import Severity
from tests.conftest import ROOT
from tests.support.programs import check, environments_beside, rendered, write_program

PAGES = sorted(p.stem for p in (ROOT / "lfc" / "diagnostics" / "pages").glob("*.md"))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LOOP = "MODULE Loop;\nEND Loop.\n"


def sections(code: str) -> dict[str, list[tuple[str, str]]]:
    """Title -> fences, each with its language."""
    text = page(code)
    assert text is not None
    pieces = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return {title: FENCE.findall(body) for title, body in zip(pieces[1::2], pieces[2::2], strict=True)}


def examples(title: str, language: str) -> list[ParameterSet]:
    return [
        pytest.param(code, text, id=code)
        for code in PAGES
        for tongue, text in sections(code).get(title, [])
        if tongue == language
    ]


@pytest.mark.parametrize("code", PAGES)
def test_a_page_has_both_examples(code: str) -> None:
    found = sections(code)
    assert list(found) == ["Wrong", "Right"]
    for fences in found.values():
        assert fences
        assert {language for language, _ in fences} == ({"console"} if code.startswith("LF09") else {"lf"})


@pytest.mark.parametrize(("code", "text"), examples("Wrong", "lf"))
def test_wrong_example(code: str, text: str, tmp_path: Path) -> None:
    case = write_program(text, tmp_path)
    _, diagnostics = check(case.main, environments_beside(case.main))
    # What is only noted beside it, as which variables are shared, is no second complaint.
    said = {d.code for d in diagnostics.items if d.severity is not Severity.NOTE or d.code == code}
    assert said == {code}, rendered(diagnostics, tmp_path)


@pytest.mark.parametrize(("code", "text"), examples("Right", "lf"))
def test_right_example(code: str, text: str, tmp_path: Path) -> None:
    case = write_program(text, tmp_path)
    program, diagnostics = check(case.main, environments_beside(case.main))
    said = rendered(diagnostics, tmp_path)
    assert program is not None and not diagnostics.has_errors, said
    assert code not in {d.code for d in diagnostics.items}, said


def run_console(text: str, folder: Path) -> tuple[int, str]:
    """Runs the commands of a fence where there is a program Loop.lf; the exit code is that of the last one."""
    (folder / "Loop.lf").write_text(LOOP, encoding="utf-8")
    lfc = folder / "bin" / "lfc"
    lfc.parent.mkdir()
    lfc.write_text(f'#!/bin/sh\nexec {sys.executable} -m lfc "$@"\n', encoding="utf-8")
    lfc.chmod(0o755)
    commands = [line.removeprefix("$ ") for line in text.splitlines()]
    environment = {**os.environ, "PATH": f"{lfc.parent}:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(sys.path)}
    script = "\n".join(commands)
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(("code", "text"), examples("Wrong", "console"))
def test_wrong_commands(code: str, text: str, tmp_path: Path) -> None:
    exit_code, said = run_console(text, tmp_path)
    severity = Severity(CATALOGUE[code].severity)
    assert f"{severity.value} {code}: " in said
    assert exit_code == (1 if severity is Severity.ERROR else 0), said


@pytest.mark.parametrize(("code", "text"), examples("Right", "console"))
def test_right_commands(code: str, text: str, tmp_path: Path) -> None:
    exit_code, said = run_console(text, tmp_path)
    assert exit_code == 0 and "LF" not in said, said

"""A machine that was kept is the machine that would be made, and is made again whenever something it depends on has
changed. The second opinion is always the machine that is made from the text.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lfc.actions.kept_machine import NotAProgram, Wanted, diagnose, keep_behind, machine_of, make, taken_behind
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import load_board
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics
from lfc.front_end import load
from lfc.mcheck.check import check
from lfc.mcheck.model.kept_model import model_stage
from lfc.mcheck.request.request import request_from
from lfc.run.native import host_target
from lfc.semantics.analyse import analyse
from tests.conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.lf"))
MAIN = "MODULE Main; IMPORT Part; VAR x : INTEGER; BEGIN x := Part.N END Main.\n"
PART = "MODULE Part; CONST N* = 5; END Part.\n"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The main modules that are parsed."""
    files: list[str] = []

    def counted(main, *given, **named):  # type: ignore[no-untyped-def]
        files.append(Path(main.path).name)
        return analyse(main, *given, **named)

    monkeypatch.setattr(load, "analyse", counted)
    return files


def loaded(wanted: Wanted, stage: str = "") -> tuple[Machine | None, list[str]]:
    found = Diagnostics()
    machine = machine_of(wanted, found, stage)
    return machine, [f"{d.code} {d.span!r} {d.message}" for d in found.items]


def text_of(machine: Machine | None) -> str:
    assert machine is not None
    return generate(machine, host_target()).ir


def test_every_example_is_kept_as_it_is(tmp_path: Path, parsed: list[str]) -> None:
    for example in EXAMPLES:
        file = Path(shutil.copy(example, tmp_path))
        if file.name.endswith("_env.lf") or "ENVIRONMENT" in file.read_text():
            continue
        around = example.with_name(f"{file.stem}_env.lf")
        wanted = Wanted(str(file), environments=(str(around),) if around.exists() else ())
        first, said = loaded(wanted)
        if first is None:
            continue
        before = text_of(make(wanted, Diagnostics(), ""))
        count = len(parsed)
        again, said_again = loaded(wanted)
        assert len(parsed) == count, file.name  # not parsed again
        assert said_again == said
        assert text_of(again) == before == text_of(first), file.name
    assert len(parsed) > 30


def test_what_is_imported_is_looked_at(tmp_path: Path, parsed: list[str]) -> None:
    (tmp_path / "Main.lf").write_text(MAIN)
    (tmp_path / "Part.lf").write_text(PART)
    wanted = Wanted(str(tmp_path / "Main.lf"))
    first, _ = loaded(wanted)
    assert text_of(loaded(wanted)[0]) == text_of(first) and parsed == ["Main.lf"]
    (tmp_path / "Part.lf").write_text(PART.replace("5", "6"))
    assert text_of(loaded(wanted)[0]) != text_of(first) and parsed == ["Main.lf"] * 2
    (tmp_path / "Part.lf").unlink()
    machine, said = loaded(wanted)
    assert machine is None and said[0].startswith("LF0305") and len(parsed) == 3


def test_a_file_that_comes_before_is_seen(tmp_path: Path, parsed: list[str]) -> None:
    """A module is taken from the first folder that has it: one that appears in an earlier folder takes its place."""
    (tmp_path / "more").mkdir()
    (tmp_path / "Main.lf").write_text(MAIN)
    (tmp_path / "more" / "Part.lf").write_text(PART)
    wanted = Wanted(str(tmp_path / "Main.lf"), (str(tmp_path / "more"),))
    first = text_of(loaded(wanted)[0])
    assert text_of(loaded(wanted)[0]) == first and len(parsed) == 1
    (tmp_path / "Part.lf").write_text(PART.replace("5", "7"))
    assert text_of(loaded(wanted)[0]) != first and len(parsed) == 2


def test_other_choices_have_entries_of_their_own(tmp_path: Path, parsed: list[str]) -> None:
    (tmp_path / "Main.lf").write_text("MODULE Main; IMPORT GPIO; VAR x : INTEGER; BEGIN x := 1 END Main.\n")
    file = str(tmp_path / "Main.lf")
    choices = [Wanted(file), Wanted(file, board=load_board("uno")), Wanted(file, with_environment=False)]
    choices.append(Wanted(file, board=load_board("microbit")))
    for wanted in [*choices, *choices]:
        loaded(wanted)
    assert len(parsed) == len(choices)


def test_warnings_are_kept_and_errors_are_not(tmp_path: Path, parsed: list[str]) -> None:
    file = tmp_path / "Main.lf"
    file.write_text("MODULE Main; VAR unused : INTEGER; END Main.\n")
    first = loaded(Wanted(str(file)))[1]
    assert len(first) == 1 and loaded(Wanted(str(file)))[1] == first and len(parsed) == 1
    found = Diagnostics()
    diagnose(Wanted(str(file)), found)
    assert [d.message for d in found.items] == [first[0].split(" ", 2)[2]] and len(parsed) == 1
    file.write_text("MODULE Main; BEGIN x := 1 END Main.\n")
    for _ in range(2):
        machine, said = loaded(Wanted(str(file)))
        assert machine is None and "LF0301" in said[0]
    assert len(parsed) == 3


def test_an_environment_module_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "Around.lf").write_text("ENVIRONMENT MODULE Around; END Around.\n")
    for _ in range(2):
        with pytest.raises(NotAProgram):
            loaded(Wanted(str(tmp_path / "Around.lf"), with_environment=False))


def test_what_is_kept_behind_shares_the_machine(tmp_path: Path) -> None:
    (tmp_path / "Main.lf").write_text(MAIN)
    (tmp_path / "Part.lf").write_text(PART)
    wanted = Wanted(str(tmp_path / "Main.lf"))
    machine, _ = loaded(wanted, "stage")
    assert machine is not None and taken_behind(machine, "stage") is None
    keep_behind(machine, ["content", machine.bodies[0]])
    again, _ = loaded(wanted, "stage")
    assert again is not None and taken_behind(again, "another") is None
    content = taken_behind(again, "stage")
    assert content[0] == "content" and content[1] is again.bodies[0]
    assert taken_behind(again, "stage") is None


@pytest.mark.parametrize("name", ["prodcons", "philosophers_ok", "window", "leader", "buffer"])
def test_a_check_of_what_was_kept_says_the_same(name: str, tmp_path: Path) -> None:
    file = Path(shutil.copy(ROOT / "examples" / f"{name}.lf", tmp_path))
    request = request_from(reductions=("auto",))
    stage = model_stage(request.world)
    told = []
    for _ in range(2):
        machine, _ = loaded(Wanted(str(file)), stage)
        assert machine is not None and machine.kept is not None
        taken = machine.kept.reader is not None
        result = check(machine, request)
        told.append((taken, result.verdict, result.states, result.transitions, result.depth))
    assert told[0][0] is False and told[1] == (True, *told[0][1:])

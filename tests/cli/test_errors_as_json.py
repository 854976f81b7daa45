"""With `--json` there is a document whatever happens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lfc.base.version import __version__
from lfc.cli.common.exits import MEANING, Exit
from lfc.cli.main import COMMANDS, OWN_OUTPUT
from tests.cli.lfc import Outcome, lfc

GOOD = "MODULE Good;\nEND Good.\n"
WAITS = "MODULE Waits;\nTYPE C = [m];\nPORT p : C;\nPROCESS P;\nBEGIN p?m END P;\nBEGIN NEW(p); CREATE P END Waits.\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "Good.lf").write_text(GOOD)
    (tmp_path / "Waits.lf").write_text(WAITS)
    return tmp_path


def failure(done: Outcome, text: str) -> Any:
    """The document in this text, which says no more than the exit code and standard error do."""
    document = json.loads(text)
    assert set(document) == {"version", "tool", "failure"}
    assert (document["version"], document["tool"]) == (1, {"name": "lfc", "version": __version__})
    found = document["failure"]
    assert set(found) == {"exit_code", "meaning", "messages"}
    assert (found["exit_code"], found["meaning"]) == (done.exit, MEANING[Exit(done.exit)])
    assert found["messages"] and all(m.split("\n")[0] in done.err for m in found["messages"])
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_that_is_not_there(name: str, here: Path) -> None:
    done = lfc("--json", name, "--no-such-option", cwd=here)
    assert done.exit == Exit.USAGE
    if name in OWN_OUTPUT:
        assert done.out == ""
        found = failure(done, done.err[done.err.index("\n{") :])
    else:
        found = failure(done, done.out)
    assert len(found["messages"]) == 1 and "--no-such-option" in found["messages"][0]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--json"], 2, "Missing command"),
        (["chekc", "--json"], 2, "Did you mean `check`?"),
        (["check", "--json"], 2, "Which program?"),
        (["check", "--json", "--time", "soon", "Good.lf"], 2, "soon"),
        (["check", "--json", "--sarif", "Good.lf"], 2, "--json and --sarif exclude each other."),
        (["--json", "--sarif", "check", "--syntax-only", "Good.lf"], 2, "--json and --sarif exclude each other."),
        (["check", "--json", "--fair", "some P", "Good.lf"], 2, "Fairness has the form"),
        (["check", "--json", "--resume", "none.state", "Good.lf"], 2, "none.state"),
        (["slice", "--json", "--for", "nothing", "Good.lf"], 2, "nothing"),
        (["explain", "--json", "LF9999"], 2, "LF9999"),
        (["build", "--json", "-b", "no-board", "Good.lf"], 2, "no-board"),
        (["size", "--json", "-b", "no-board", "Good.lf"], 2, "no-board"),
        (["trace", "show", "--json", "none.trace"], 1, "none.trace"),
        (["--json", "verify-certificate", "Good.lf", "none.json"], 1, "none.json cannot be read"),
    ],
)
def test_errors(arguments: list[str], code: int, said: str, here: Path) -> None:
    done = lfc(*arguments, cwd=here)
    assert done.exit == code, done.err
    assert any(said in m for m in failure(done, done.out)["messages"])


def test_a_command_that_has_a_document_of_its_own_prints_that_alone(here: Path) -> None:
    done = lfc("check", "--json", "Waits.lf", cwd=here)
    assert done.exit == Exit.DEADLOCK
    assert json.loads(done.out)["verdict"] == "deadlock"
    for arguments, code in ((["check", "--json", "None.lf"], "LF0901"), (["ltl", "--json", "[] ("], "LF0201")):
        done = lfc(*arguments, cwd=here)
        assert done.exit == Exit.SOURCE_ERROR
        assert [d["code"] for d in json.loads(done.out)["diagnostics"]] == [code]


def test_what_follows_two_dashes_is_no_option(here: Path) -> None:
    done = lfc("check", "--no-such-option", "--", "--json", cwd=here)
    assert (done.exit, done.out) == (2, "")

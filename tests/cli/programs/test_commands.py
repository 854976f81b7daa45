"""What the commands print and how they end."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lfc.cli.main import COMMANDS
from tests.cli.lfc import ROOT, lfc

GOOD = "MODULE Good;\nEND Good.\n"
BAD = "MODULE Bad;\nVAR x : INTEGR;\nEND Bad.\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "Good.lf").write_text(GOOD)
    (tmp_path / "Bad.lf").write_text(BAD)
    return tmp_path


def test_check(here: Path) -> None:
    done = lfc("check", "--syntax-only", "Good.lf", cwd=here)
    assert (done.exit, done.out, done.err) == (0, "", "1 program: no errors, no warnings\n")
    done = lfc("check", "--syntax-only", "Good.lf", "Bad.lf", "None.lf", cwd=here)
    assert done.exit == 1 and done.out == ""
    assert "Bad.lf:2:9: error LF" in done.err and "INTEGER" in done.err
    assert "None.lf: error LF0901" in done.err
    assert done.err.rstrip().splitlines()[-1].startswith("2 errors")


def test_what_an_import_finds_may_be_no_file(here: Path) -> None:
    (here / "Folder.lf").mkdir()
    (here / "Round.lf").symlink_to("Round.lf")
    (here / "User.lf").write_text("MODULE User;\nIMPORT Folder, Round;\nEND User.\n")
    said = lfc("check", "--syntax-only", "User.lf", cwd=here).err
    assert "Folder.lf: error LF0902" in said and "Round.lf: error LF0903" in said and "LF0305" not in said


def test_programs_are_checked_apart(here: Path) -> None:
    """An error in the first one hides nothing of the second, and what both import is reported once."""
    (here / "Shared.lf").write_text("MODULE Shared;\nVAR unused : INTEGER;\nEND Shared.\n")
    for name, slip in (("One", "x := y;"), ("Two", "")):
        (here / f"{name}.lf").write_text(
            f"MODULE {name};\nIMPORT Shared;\nVAR x, spare : INTEGER;\nBEGIN\n  {slip}\n  x := 1\nEND {name}.\n"
        )
    done = lfc("check", "--syntax-only", "One.lf", "Two.lf", cwd=here)
    assert "One.lf:5:8: error LF0301" in done.err and "Two.lf:3:8: warning LF0708" in done.err
    done = lfc("check", "--syntax-only", "Two.lf", "Two.lf", "Shared.lf", cwd=here)
    assert done.exit == 0 and done.err.count("Shared.lf:2:5") == 1


def test_check_reads_standard_input(here: Path) -> None:
    assert lfc("check", "--syntax-only", "-", cwd=here, stdin=GOOD.encode()).exit == 0
    assert "<stdin>:2:9: error" in lfc("check", "--syntax-only", "-", cwd=here, stdin=BAD.encode()).err


def test_check_finds_modules_beside_the_file_and_in_path(here: Path) -> None:
    (here / "lib").mkdir()
    (here / "lib" / "Far.lf").write_text("MODULE Far;\nCONST c* = 1;\nEND Far.\n")
    (here / "Near.lf").write_text("MODULE Near;\nCONST c* = 1;\nEND Near.\n")
    user = "MODULE User;\nIMPORT Near, Far;\nVAR x* : INTEGER;\nBEGIN x := Near.c + Far.c\nEND User.\n"
    (here / "User.lf").write_text(user)
    assert "Far" in lfc("check", "--syntax-only", here / "User.lf").err
    done = lfc("check", "--syntax-only", "--path", here / "lib", here / "User.lf")
    assert done.exit == 0, done.err


def test_json_before_or_after_the_command(here: Path) -> None:
    for arguments in (["--json", "check", "--syntax-only", "Bad.lf"], ["check", "--syntax-only", "--json", "Bad.lf"]):
        done = lfc(*arguments, cwd=here)
        data = json.loads(done.out)
        assert done.exit == 1 and done.err == ""
        assert data["summary"]["errors"] == 1 and data["diagnostics"][0]["span"]["start"]["line"] == 2
    assert json.loads(lfc("check", "--syntax-only", "--json", "Good.lf", cwd=here).out)["diagnostics"] == []


def test_sarif(here: Path) -> None:
    done = lfc("check", "--syntax-only", "--sarif", "Bad.lf", cwd=here)
    assert done.exit == 1 and json.loads(done.out)["runs"][0]["results"][0]["level"] == "error"


def test_color(here: Path) -> None:
    assert "\x1b[" in lfc("--color", "always", "check", "--syntax-only", "Bad.lf", cwd=here).err
    assert "\x1b[" not in lfc("check", "--syntax-only", "Bad.lf", cwd=here).err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chek", "x"], "Did you mean `check`?"),
        (["zzz"], "There are: check"),
        (["check"], "Which program?"),
        (["check", "--syntax", "Good.lf"], "--syntax-only"),
        (["check", "--syntax-only", "--path", "nowhere", "Good.lf"], "Directory 'nowhere' does not exist"),
        (["--color", "blue", "doctor"], "'blue' is not one of"),
        (["explain", "LF9999x"], "no diagnostic `LF9999x`"),
        (["explain", "LF0991"], "Did you mean"),
    ],
)
def test_usage_errors(arguments: list[str], said: str, here: Path) -> None:
    done = lfc(*arguments, cwd=here)
    assert done.exit == 2 and said in done.err and done.out == ""


def test_explain() -> None:
    page = (ROOT / "lfc" / "diagnostics" / "pages" / "LF0906.md").read_text()
    for typed in ("LF0906", "lf906", "906", "0906"):
        assert lfc("explain", typed).out == page
    assert re.search(r"^LF0901  error    no such file$", lfc("explain").out, re.MULTILINE)
    assert json.loads(lfc("explain", "--json", "LF0906").out)["pages"][0]["page"] == page
    assert "\x1b[" in lfc("--color", "always", "explain", "LF0906").out
    assert "LF0904  binary file" in lfc("explain", "binary").err


def test_fmt_in_place_then_check(here: Path) -> None:
    file = here / "Loose.lf"
    file.write_text("MODULE   Loose;VAR x*:INTEGER;BEGIN x:=1 END Loose.")
    done = lfc("fmt", "--check", file.name, "Good.lf", cwd=here)
    assert (done.exit, done.err) == (1, "Loose.lf is not formatted\n")
    done = lfc("fmt", "--diff", file.name, cwd=here)
    assert done.exit == 0 and done.out.startswith("--- Loose.lf\n+++ Loose.lf (formatted)\n@@ ")
    assert lfc("fmt", "--diff", "--check", file.name, cwd=here).exit == 1
    assert file.read_text().startswith("MODULE   Loose")
    done = lfc("fmt", file.name, "Good.lf", cwd=here)
    assert (done.exit, done.out, done.err) == (0, "", "formatted Loose.lf\n")
    assert lfc("fmt", "--check", file.name, cwd=here).exit == 0
    assert lfc("fmt", "-", cwd=here, stdin=b"MODULE  Good;END Good.").out == GOOD


def test_fmt_leaves_what_does_not_parse(here: Path) -> None:
    file = here / "Broken.lf"
    file.write_text("MODULE  Broken; VAR x INTEGER END Broken.")
    done = lfc("fmt", file.name, cwd=here)
    assert done.exit == 1 and "error LF02" in done.err
    assert file.read_text().startswith("MODULE  Broken")


def test_doctor() -> None:
    done = lfc("doctor", "--json")
    data = json.loads(done.out)
    tools = {t["name"]: t for t in data["tools"]}
    assert tools["Python"]["found"] and "LLVM" in tools["llvmlite"]["version"]
    assert set(data["missing"]) == {
        "check",
        "cluster",
        "compile",
        "emulate",
        "flash",
        "sign",
        "debug",
        "assist",
        "convert",
        "edit",
        "editor-test",
        "document",
        "draw",
        "prove",
        "bench",
        "test",
    }
    assert done.exit == 0
    assert "ready" in lfc("doctor", "--job", "check").out


def test_doctor_without_tools_says_how_to_get_them(here: Path) -> None:
    done = lfc("doctor", "--job", "emulate", PATH=str(here))
    assert done.exit == 8
    assert re.search(r"^missing  simavr$", done.out, re.MULTILINE)
    assert "lacks simavr, qemu-system-avr, qemu-system-arm" in done.out
    assert "qemu-system-arm qemu-system-misc simavr" in done.out.splitlines()[-1]
    assert lfc("doctor", "--job", "emulate", "--list-apt", PATH=str(here)).out.split() == [
        "gcc",
        "qemu-system-arm",
        "qemu-system-misc",
        "simavr",
    ]


def test_output_that_nobody_reads() -> None:
    command = f"{sys.executable} -m lfc explain | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_a_terminal_that_knows_only_ascii(here: Path) -> None:
    (here / "U.lf").write_text("MODULE U;\nVAR x : \u6f22;\nEND U.\n", encoding="utf-8")
    done = lfc("check", "--syntax-only", "U.lf", cwd=here, PYTHONIOENCODING="ascii")
    assert done.exit == 1 and "\\u6f22" in done.err


def test_the_documentation_has_every_command_and_every_common_option() -> None:
    text = (ROOT / "docs" / "reference" / "command-line.md").read_text()
    assert [name for name in COMMANDS if f"- `lfc {name} " not in text and f"- `lfc {name}` " not in text] == []
    assert re.findall(r"^\| `(--[\w-]+)", text, re.MULTILINE) == ["--color", "--json", "--sarif", "--max-errors"]


@pytest.mark.parametrize("command", ["run", "build", "check"])
def test_an_environment_is_no_program(command: str) -> None:
    done = lfc(command, "examples/traffic_env.lf")
    assert done.exit == 2
    assert "is an ENVIRONMENT MODULE" in done.err

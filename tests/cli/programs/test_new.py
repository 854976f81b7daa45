"""`lfc new`: the project is in the canonical layout, its test runs, and it blinks on boards that can be emulated."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.emulators.simavr import run_in_simavr
from tests.cli.lfc import lfc


@pytest.fixture
def project(tmp_path: Path) -> Path:
    done = lfc("new", "light", "-b", "uno", cwd=tmp_path)
    assert done.exit == 0, done.err
    assert "Try there: lfc build; lfc check; lfc run PatternTest.lf; lfc run --seconds 5" in done.err
    return tmp_path / "light"


def test_the_test_runs_and_can_fail(project: Path) -> None:
    done = lfc("run", "PatternTest.lf", cwd=project)
    assert (done.exit, done.out) == (0, "the pattern is right\n")
    (project / "Pattern.lf").write_text((project / "Pattern.lf").read_text().replace("step = 3", "step = 2"))
    assert lfc("run", "PatternTest.lf", cwd=project).exit == 4


def test_files_are_in_the_canonical_layout(project: Path) -> None:
    done = lfc("fmt", "--check", *sorted(project.glob("*.lf")))
    assert done.exit == 0, done.err
    assert lfc("check", "--syntax-only", "blink.lf", "PatternTest.lf", cwd=project).err.endswith("no warnings\n")


def test_without_a_file_it_is_the_projects_program_on_its_board(project: Path) -> None:
    (project / "deeper").mkdir()
    done = lfc("build", "--json", cwd=project / "deeper")
    assert done.exit == 0, done.err
    assert json.loads(done.out)["board"] == "uno" and (project / "deeper" / "blink.elf").is_file()
    assert json.loads(lfc("size", "--json", "-b", "mega2560", cwd=project).out)["board"] == "mega2560"
    done = lfc("run", "--seconds", "1", "--clock", "virtual", "--json", cwd=project)
    assert done.exit == 0 and json.loads(done.err.splitlines()[-1])["emulator"] == "simavr"
    assert "Which board?" in lfc("size", "blink.lf", cwd=project).err


@pytest.mark.parametrize(("name", "bit"), [("uno", 5), ("mega2560", 7)])
def test_it_blinks(tmp_path: Path, name: str, bit: int) -> None:
    """On at once, off after 100 ms, on after 200, off after 300 for 700."""
    assert lfc("new", "light", "-b", name, cwd=tmp_path).exit == 0
    assert lfc("build", cwd=tmp_path / "light").exit == 0
    elf = (tmp_path / "light" / "blink.elf").read_bytes()
    for seconds, on in ((0.05, 1), (0.15, 0), (0.25, 1), (0.35, 0), (0.95, 0), (1.05, 1)):
        registers = run_in_simavr(load_board(name), elf, seconds=seconds, registers=(0x24, 2)).registers
        assert registers == bytes([1 << bit, on << bit]), seconds


@pytest.mark.parametrize("name", board_names())
def test_it_is_the_same_on_every_board(tmp_path: Path, name: str) -> None:
    """And it is built; what it writes to the pins of each chip is in tests/library."""
    assert lfc("new", "light", "-b", name, cwd=tmp_path).exit == 0
    told = tomllib.loads((tmp_path / "light" / "lf.toml").read_text())
    assert told == {"main": "blink.lf", "board": name, "require": "no-error-found"}
    done = lfc("build", cwd=tmp_path / "light")
    assert done.exit == 0, done.err
    assert "IMPORT Clock, GPIO, Pattern;" in (tmp_path / "light" / "blink.lf").read_text()


def test_the_program_holds_in_the_checker(project: Path) -> None:
    assert lfc("check", "blink.lf", cwd=project).exit == 0


@pytest.mark.parametrize("name", board_names())
def test_it_holds_with_the_model_of_its_hardware(tmp_path: Path, name: str) -> None:
    assert lfc("new", "light", "-b", name, cwd=tmp_path).exit == 0
    done = lfc("check", "--env", "World.lf", "--no-record", "--json", cwd=tmp_path / "light")
    told = json.loads(done.out)
    assert (told["verdict"], done.exit) == ("holds", 0)
    assert not [d for d in told["diagnostics"] if d["severity"] != "note"]


def test_the_model_can_be_that_of_every_check(project: Path) -> None:
    """`env` in lf.toml; what a model says wrongly is then found."""
    settings = (project / "lf.toml").read_text()
    (project / "lf.toml").write_text(settings.replace("# env =", "env ="))
    told = json.loads(lfc("check", "--no-record", "--json", cwd=project).out)
    assert (told["verdict"], told["states"]) == ("holds", 35)
    (project / "World.lf").write_text((project / "World.lf").read_text().replace("i < MOST)", "i < 0)"))
    (project / "deeper").mkdir()
    done = lfc("check", "--no-record", cwd=project / "deeper")
    assert done.exit == 4 and "World.lf" in done.out
    assert lfc("check", "--no-record", "../blink.lf", "-b", "uno", cwd=project / "deeper").exit == 0  # a file is named


def test_what_lies_beside_the_program(project: Path) -> None:
    there = {str(f.relative_to(project)) for f in project.rglob("*") if f.is_file()}
    assert there == {
        *("lf.toml", "blink.lf", "Pattern.lf", "PatternTest.lf", "World.lf", "README.md"),
        *(".gitignore", ".editorconfig", ".github/workflows/check.yml", ".vscode/settings.json"),
    }
    assert json.loads((project / ".vscode" / "settings.json").read_text())["files.associations"] == {
        "*.lf": "lf-toolchain"
    }
    readme, ci = (project / "README.md").read_text(), (project / ".github/workflows/check.yml").read_text()
    assert readme.startswith("# light\n\nA program in LF for the board uno")
    assert all(f"`{name}`" in readme for name in there if "." not in name[:1] and name != "README.md")
    for line in [*readme.splitlines(), *(step.partition("run: ")[2] for step in ci.splitlines())]:
        words = line.partition("#")[0].split()
        if words[:1] == ["lfc"] and words[1] != "flash":
            given = [w for w in words[1:] if w != "*.lf"] + sorted(f for f in there if f.endswith(".lf")) * (
                "*.lf" in words
            )
            assert lfc(*given, cwd=project).exit == 0, line
    ignored = (project / ".gitignore").read_text().split()
    made = {f.suffix for f in project.iterdir() if f.is_file()} - {".lf", ".toml", ".md", ""}
    assert made and {f"*{suffix}" for suffix in made} <= {*ignored}


MAIN = 'main = "a.lf"\nboard = "uno"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("main = 1\n", "`main` must be a string"),
        ('main = "a.lf"\n', "`board` is missing"),
        ('boad = "uno"\n', "unknown key `boad`"),
        ("main =\n", "is not valid TOML"),
        (MAIN + 'require = "proved"\n', '`require` must be one of "proof", "no-error-found", "none", not "proved"'),
        (MAIN + "require = true\n", "`require` must be a string"),
        (MAIN + 'require = "proof"\nrequire-checked = true\n', "are both there; delete `require-checked`"),
        (MAIN + "require-checked = 1\n", "`require-checked` must be true or false"),
        (MAIN + 'require = "no-error-found"\nat-least-states = 0\n', "must be a whole number above 0"),
        (MAIN + 'require = "no-error-found"\nat-least-seconds = true\n', "must be a whole number above 0"),
        (MAIN + "at-least-seconds = 5\n", '`at-least-seconds` needs `require = "no-error-found"`'),
        (MAIN + 'require = "none"\nat-least-states = 5\n', '`at-least-states` needs `require = "no-error-found"`'),
        (MAIN + 'env = "World.lf"\n', "`env` must be a list of strings"),
        (MAIN + 'optimise = "tiny"\n', '`optimise` must be "size" or "speed", not "tiny"'),
        ('main = "a.lf"\nboard = "unno"\n', "did you mean `uno`?"),
    ],
)
def test_wrong_projects(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "lf.toml").write_text(text)
    done = lfc("build", cwd=tmp_path)
    assert done.exit == 2 and message in done.err


def test_wrong_command_lines(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("")
    assert "not empty" in lfc("new", "there", "-b", "uno", cwd=tmp_path).err
    assert "Which board?" in lfc("new", "fresh", cwd=tmp_path).err
    assert not (tmp_path / "fresh").exists()
    assert "Which program?" in lfc("build", cwd=tmp_path).err

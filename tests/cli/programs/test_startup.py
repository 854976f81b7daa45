"""`lfc --help` and `lfc --version` answer at once: in time, and in what they import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.lfc import FROM_THE_START, ROOT, lfc
from tests.cli.programs.start import HEAVY, processor_seconds

ASK = """
import sys
sys.argv = ["lfc", {argument!r}]
try:
    from lfc.cli.main import main
    main()
except SystemExit as end:
    assert not end.code, end
print(*sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_nothing_heavy_is_imported(argument: str) -> None:
    asked = subprocess.run(
        [sys.executable, "-c", ASK.format(argument=argument)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    imported = asked.stderr.split()
    assert [m for m in HEAVY if any(i == m or i.startswith(m + ".") for i in imported)] == []
    assert len([m for m in imported if m.startswith("lfc")]) <= 10  # four of them are rooms, with a line each
    assert len(imported) < 250  # click alone brings about 150


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_it_takes_less_than_a_fifth_of_a_second(argument: str) -> None:
    """Counted in processor time: nothing is waited for, and other tests may keep the machine busy meanwhile."""
    best = 1.0
    for _ in range(5):
        before = processor_seconds()
        assert lfc(argument, PYTHONHASHSEED=FROM_THE_START).exit == 0
        best = min(best, processor_seconds() - before)
    assert 0 < best < 0.2


def test_it_works_from_any_folder(tmp_path: Path) -> None:
    assert lfc("--version", cwd=tmp_path).out.startswith("lfc ")


def test_sections_of_help_name_options_that_there_are() -> None:
    from lfc.cli.checking.check import Check, command

    named = [name for names in Check.sections.values() for name in names]
    assert sorted({*named} - {p.name for p in command.params}) == []
    assert len(named) == len(set(named))


def test_only_lsp_imports_what_an_editor_needs() -> None:
    ask = "import sys; from lfc.cli.main import run; code = run(sys.argv[1:])"
    ask += "; print(*sys.modules, file=sys.stderr); sys.exit(code)"
    file = str(ROOT / "examples" / "prodcons.lf")
    for command in (["fmt", "--check", file], ["check", file, "--json"], ["run", file]):
        asked = subprocess.run(
            [sys.executable, "-c", ask, *command], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert not {"pygls", "lsprotocol", "lfc.editor"} & {*asked.stderr.split()}, command

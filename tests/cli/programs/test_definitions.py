"""`-D N=3`: constants of a program get other values from the command line. LF0910 where there is no such constant."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import load_program
from lfc.records.store import all_records
from tests.cli.lfc import lfc

TEXT = """MODULE Sized;
IMPORT Out, Other;
CONST N = 2; Word : UINT8 = 4; On = TRUE; Twice = 2 * N;
VAR a : ARRAY N OF INTEGER;
BEGIN
  ASSERT(N # 5);
  IF On THEN Out.Int(LEN(a) * 100 + Word + Twice + 1000 * Other.Gain) END
END Sized.
"""
OTHER = "MODULE Other;\nCONST Gain* = 1; Hidden = 3;\nVAR x : INTEGER;\nBEGIN\n  x := Hidden\nEND Other.\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "Other.lf").write_text(OTHER)
    file = tmp_path / "Sized.lf"
    file.write_text(TEXT)
    return file


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ([], "1208"),
        (["-D", "N=7", "-D", "Word=255"], "1969"),
        (["-D", "N = 1 + 2"], "1310"),
        (["-D", "N=0AH"], "2024"),
        (["--define", "Other.Gain=9"], "9208"),
        (["-D", "On=FALSE"], ""),
    ],
)
def test_a_constant_has_another_value(given: list[str], printed: str, program: Path) -> None:
    done = lfc("run", *given, str(program))
    assert (done.exit, done.out.strip()) == (0, printed)


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ("M=3", "LF0910", "module `Sized` has no constant `M`"),
        ("Nobody.N=3", "LF0910", "the program has no module `Nobody`"),
        ("N=)", "LF0910", "`)` is no constant"),
        ("Word=256", "LF0502", "256 does not fit UINT8"),
        ("On=1", "LF0401", "`On` has type BOOLEAN"),
        ("N=a", "LF0304", "used before its declaration"),
    ],
)
def test_what_does_not_fit_is_an_error(given: str, code: str, said: str, program: Path) -> None:
    done = lfc("check", "-D", given, str(program))
    assert done.exit == 1 and code in done.err and said in done.err, done.err


def test_the_form_is_checked(program: Path) -> None:
    assert lfc("check", "-D", "N", str(program)).exit == 2
    assert lfc("check", "-D", "N=1", "-D", "N=2", str(program)).exit == 2


def test_the_check_is_of_the_other_program(program: Path) -> None:
    assert lfc("check", str(program)).exit == 0
    assert lfc("check", "-D", "N=5", str(program)).exit == 4


def test_a_record_lists_them(program: Path) -> None:
    loaded = load_program(program, Diagnostics(), definitions={"N": "7"})
    assert loaded is not None and loaded.definitions == {"N": "7"}
    done = lfc("check", "-b", "uno", "-D", "N=7", str(program), cwd=program.parent)
    assert done.exit == 0, done.err
    plain = lfc("check", "-b", "uno", str(program), cwd=program.parent)
    assert plain.exit == 0
    records = [asdict(s.record) for s in all_records([program.parent / ".lf" / "records"])]
    assert sorted(str(r["build"]["definitions"]) for r in records) == ["{'N': '7'}", "{}"]
    assert len({r["program"] for r in records}) == 2

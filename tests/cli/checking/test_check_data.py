"""`lfc check --data` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from lfc.cli.common.exits import Exit
from tests.cli.lfc import lfc
from tests.conftest import ROOT

PROGRAMS = ROOT / "tests" / "mcheck" / "symbolic" / "programs"


def test_the_document_of_a_symbolic_search() -> None:
    done = lfc("check", "--json", "--data", "symbolic", PROGRAMS / "thermostat.lf")
    found = json.loads(done.out)
    assert (done.exit, found["verdict"], found["states"]) == (0, "holds", 21)
    assert found["symbolic"]["concrete_states"] == 133_392
    classes = {u["name"]: u["classes"] for u in found["symbolic"]["undetermined"]}
    assert classes["Control.x"] == [[[0, 17]], [[18, 22]], [[23, 255]]]
    explicit = json.loads(lfc("check", "--json", "--data", "explicit", PROGRAMS / "lamp.lf").out)
    assert explicit["symbolic"] is None


def test_a_trace_of_a_symbolic_search_is_followed(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    assert lfc("check", PROGRAMS / "wide.lf", "--data", "symbolic", "--trace", trace).exit == Exit.FAULT
    done = lfc("run", PROGRAMS / "wide.lf", "--schedule", trace)
    assert "the assertion failed" in done.err + done.out


def test_what_excludes_it_is_said() -> None:
    done = lfc("check", "--data", "symbolic", "--rate", "1", PROGRAMS / "lamp.lf")
    assert "Data cannot be left undetermined: events from outside are bounded (--rate)." in done.err
    done = lfc("check", "--data", "symbolic", "--reductions", "none", PROGRAMS / "lamp.lf")
    assert done.exit == 2 and "excludes --reductions none" in done.err
    done = lfc("check", "--data", "symbolic", "--inputs", "all", PROGRAMS / "lamp.lf")
    assert done.exit == 2 and "--inputs needs --data explicit" in done.err


def test_the_certificate_of_an_invariant(tmp_path: Path) -> None:
    program, certificate = PROGRAMS / "gauge.lf", tmp_path / "invariant.json"
    assert lfc("check", "--data", "symbolic", "--certificate", certificate, program).exit == 0
    done = lfc("verify-certificate", program, certificate)
    assert done.exit == 0 and done.out.startswith(
        "valid: no failed assertion, fault or deadlock; one step from each of 4"
    )
    certificate.write_text(certificate.read_text().replace("1000000", "1000001"))
    done = lfc("verify-certificate", program, certificate)
    assert done.exit == Exit.INCONCLUSIVE and done.out == "refused: its content does not match its hash\n"


def test_the_certificate_of_a_property(tmp_path: Path) -> None:
    program, certificate = tmp_path / "Latch.lf", tmp_path / "latched.json"
    program.write_text(
        "MODULE Latch;\nVAR off* : BOOLEAN; sample* : UINT16;\nPROPERTY latched = ALWAYS (off IMPLIES ALWAYS off);\n"
        "PROCESS Guard;\nBEGIN\n  LOOP sample := PORTIN16(78H); RESCHEDULE; off := off OR ODD(sample) END\nEND Guard;\n"
        "BEGIN CREATE Guard END Latch.\n"
    )
    named = ("--data", "symbolic", "--property", "latched", "--certificate", certificate)
    assert lfc("check", *named, program).exit == 0
    done = lfc("verify-certificate", program, certificate)
    assert done.exit == 0 and done.out.startswith("valid: latched holds; one step from each of ")


def test_rounds_have_no_trace_file(tmp_path: Path) -> None:
    program = tmp_path / "Ticks.lf"
    program.write_text(TICKS)
    done = lfc("check", "--data", "symbolic", "--trace", tmp_path / "trace", program)
    assert done.exit == Exit.FAULT and "No trace file was written: steps 4 to 5 are gone 2147483647 times." in done.err
    assert not (tmp_path / "trace").exists()


TICKS = """MODULE Ticks;
IMPORT SYSTEM;
VAR n* : INTEGER;
PROCESS Tick SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; INC(n) END END Tick;
BEGIN CREATE Tick END Ticks.
"""


def test_what_comes_out_while_states_are_searched_is_inconclusive(tmp_path: Path) -> None:
    program = tmp_path / "Table.lf"
    program.write_text(
        "MODULE Table; VAR i : UINT16; a : ARRAY 6000 OF UINT8; PROCESS P SERVER; BEGIN LOOP i := PORTIN16(78H); "
        "IF i < 6000 THEN a[i] := a[i] + 1 END; RESCHEDULE END END P; BEGIN CREATE P END Table.\n"
    )
    done = lfc("check", "--data", "symbolic", program)
    assert done.exit == Exit.INCONCLUSIVE
    assert done.out.startswith("inconclusive: --data symbolic: an address or index with more than 4,096 values\n")

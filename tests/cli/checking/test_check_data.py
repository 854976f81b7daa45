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


def test_what_excludes_it_is_said(tmp_path: Path) -> None:
    program = tmp_path / "Claims.lf"
    program.write_text("MODULE Claims;\nVAR x : UINT8;\nPROPERTY small = ALWAYS (x < 3);\nBEGIN x := 2 END Claims.\n")
    done = lfc("check", "--data", "symbolic", program)
    assert "Data cannot be left undetermined: the program has properties." in done.err
    done = lfc("check", "--data", "symbolic", "--reductions", "none", PROGRAMS / "lamp.lf")
    assert done.exit == 2 and "excludes --reductions none" in done.err
    done = lfc("check", "--data", "symbolic", "--inputs", "all", PROGRAMS / "lamp.lf")
    assert done.exit == 2 and "--inputs needs --data explicit" in done.err

"""What is easily mistaken, and what the tools say of it: signs of other languages, a program of another chip."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.lfc import ROOT, lfc


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("MODULE T;\nVAR a, b : BOOLEAN;\nPROPERTY p = ALWAYS (a => b);\nBEGIN\n  RESCHEDULE\nEND T.\n", "IMPLIES"),
        ("MODULE T;\nVAR a, b : INTEGER;\nBEGIN\n  IF a => b THEN a := 1 END\nEND T.\n", ">="),
    ],
)
def test_an_arrow_is_an_implication_in_formulas_alone(text: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(text)
    done = lfc("check", "T.lf", cwd=tmp_path)
    assert done.exit == 1 and f"fix: write `{meant}`" in done.err


def test_a_build_tells_of_registers_of_another_chip(tmp_path: Path) -> None:
    blink = ROOT / "examples" / "blink.lf"
    done = lfc("build", blink, "-b", "microbit", "-o", tmp_path / "b.hex")
    assert done.exit == 0 and "warning LF0728: nrf51822, the chip of microbit, has no register at 24H" in done.err
    assert "LF0728" not in lfc("build", blink, "-b", "uno", "-o", tmp_path / "b.hex").err


def test_an_image_has_no_monitors(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text("MODULE T;\nPROCESS Start*; BEGIN END Start;\nBEGIN Start END T.\n")
    (tmp_path / "Watch.lf").write_text("MONITOR Watch OF T;\nVAR n : 0 .. 9;\nON Start DO n := 1\nEND Watch.\n")
    done = lfc("check", "T.lf", "-b", "uno", "--image", "--monitor", "Watch.lf", cwd=tmp_path)
    assert done.exit == 2 and "--image excludes --monitor: monitors watch the program, not its image." in done.err

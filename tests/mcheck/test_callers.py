"""A fault in the library names the call in the user's text."""

from __future__ import annotations

from pathlib import Path

from tests.cli.lfc import lfc

PIN = """MODULE Pin;
IMPORT UART;
PROCESS Show(n : UINT32);
BEGIN
  UART.Start(n)
END Show;
PROCESS Other;
BEGIN
  UART.Start(9600)
END Other;
PROCESS Blink;
VAR k : UINT8;
BEGIN
  k := PORTIN(1);
  Show(UINT32(k) * 1000000)
END Blink;
BEGIN
  CREATE Blink;
  CREATE Other
END Pin.
"""


def test_the_call_of_the_process_that_runs_is_named(tmp_path: Path) -> None:
    (tmp_path / "Pin.lf").write_text(PIN)
    found = lfc("check", "Pin.lf", "-b", "uno", "--no-record", cwd=tmp_path)
    assert "an assertion can fail: the assertion failed; called from Pin.lf:5:3, `UART.Start(n)`\n" in found.out


def test_an_action_that_an_input_keeps_from_ending(tmp_path: Path) -> None:
    text = "MODULE Poll;\nIMPORT GPIO;\nVAR now : BOOLEAN;\nBEGIN\n  REPEAT GPIO.Pressed(now) UNTIL now\nEND Poll.\n"
    (tmp_path / "Poll.lf").write_text(text)
    found = lfc("check", "Poll.lf", cwd=tmp_path)
    assert "the action does not end" in found.out
    assert "called from Poll.lf:5:10, `GPIO.Pressed(now)`" in found.out
    assert "port 101H = 1 (333333 times)" in found.out

"""What a program and a check assume of ports, the console and the users of channels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
from lfc.mcheck.model.input_ranges import NotUnderstood, read_assumptions
from lfc.mcheck.model.open_module import close
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.result.result import CheckResult
from lfc.semantics.model.alphabet import NoAlphabet, characters_of
from tests.actions.machines import machine_of_text
from tests.cli.lfc import lfc

KEYS = """MODULE Keys;
IMPORT In;
ASSUMED
VAR ch : CHAR;
BEGIN
  In.Char(ch);
  ASSERT(CLAIM)
END Keys.
"""
METER = """MODULE Meter;
TYPE Line = [level(KIND)];
PORT line* : Line;
ASSUME line.level IN LOW .. HIGH;
PROCESS Watch SERVER;
VAR t : KIND;
BEGIN
  LOOP line?level(t); ASSERT((t >= FROM) & (t <= UPTO)) END
END Watch;
BEGIN
  NEW(line);
  CREATE Watch
END Meter.
"""


def checked(text: str, **options: object) -> CheckResult:
    return check(machine_of_text(text), request_from(threads=1, **options))


def keys(assumed: str, claim: str = "TRUE") -> str:
    return KEYS.replace("ASSUMED", assumed).replace("CLAIM", claim)


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        ("a-c", "abc"),
        ("0-9 \\n", "\n 0123456789"),
        ("a\\-c", "-ac"),
        ("-a", "-a"),
        ("a-", "-a"),
        ("\\\\", "\\"),
        ("a-cb-d", "abcd"),
    ],
)
def test_sets_of_characters(text: str, characters: str) -> None:
    assert "".join(map(chr, characters_of(text))) == characters


@pytest.mark.parametrize("text", ["", "b-a", "\\", "\\x", "€"])
def test_texts_that_are_no_sets_of_characters(text: str) -> None:
    with pytest.raises(NoAlphabet):
        characters_of(text)


def test_of_the_console_only_these_characters_come() -> None:
    assert checked(keys("")).states == 1 + 256 + 256
    assert checked(keys('ASSUME console IN "0-9";', "(ch >= '0') & (ch <= '9')")).states == 1 + 10 + 10
    assert checked(keys(""), assume=('console in "a-c"',)).states == 1 + 3 + 3
    found = checked(keys('ASSUME console IN "0-9";'), assume=('console in "5-9a"',))
    assert (found.verdict, found.states) == ("holds", 1 + 5 + 5)
    assert found.assumptions == ['console in "0-9" (ASSUME)', 'console in "5-9a" (--assume)']


@pytest.mark.parametrize(("character", "there"), [("0", True), ("4", True), ("9", True), (":", False), ("/", False)])
def test_each_of_them_comes_and_no_other(character: str, there: bool) -> None:
    found = checked(keys('ASSUME console IN "0-9";', f"ch # '{character}'"))
    assert found.verdict == ("assertion" if there else "holds")


def test_a_counterexample_types_only_what_is_assumed() -> None:
    text = keys('ASSUME console IN "5-9";', "FALSE")
    finding = checked(text).findings[0]
    read = [i.operands[0] for step in finding.steps for i in step if i.name == "read"]
    assert read == [ord("5")]


REGISTER = """MODULE Register;
VAR adc AT 78H : UINT16; cold AT 80H : INT8; n : UINT16; t : INT8;
ASSUME adc IN 3 .. 12; cold IN -7 .. -2;
BEGIN
  RESCHEDULE;
  n := adc; t := cold;
  ASSERT((n >= 3) & (n <= 12) & (t >= -7) & (t <= -2))
END Register.
"""


@pytest.mark.parametrize("inputs", list(Inputs))
def test_registers_give_what_the_program_says(inputs: Inputs) -> None:
    found = checked(REGISTER, inputs=inputs)
    assert (found.verdict, found.states) == ("holds", 2 + 10 * 6)
    assert found.assumptions == ["adc in 3..12 (ASSUME)", "cold in -7..-2 (ASSUME)"]
    for missing in ("n # 3", "n # 12", "t # -7", "t # -2"):
        assert checked(REGISTER.replace("(n >= 3)", f"({missing})"), inputs=inputs).verdict == "assertion"


def test_the_command_line_narrows_what_the_program_assumes() -> None:
    assert checked(REGISTER, assume=("adc in 10..99",)).states == 2 + 3 * 6
    with pytest.raises(NotUnderstood, match=r"`adc in 3\.\.12` and `adc in 20\.\.30` have no value in common"):
        checked(REGISTER, assume=("adc in 20..30",))
    with pytest.raises(NotUnderstood, match="leaves no character"):
        checked(keys('ASSUME console IN "a";'), assume=('console in "b"',))
    with pytest.raises(NotUnderstood, match="is no character"):
        checked(keys(""), assume=('console in "\\q"',))


def closed(text: str, name: str) -> Machine:
    found = close(machine_of_text(text), f"{name}.lf")
    assert found is not None
    return found.machine


@pytest.mark.parametrize(
    ("t", "low", "high"), [("INT16", -40, 125), ("UINT8", 3, 9), ("INTEGER", -9, -2), ("INT8", -128, 127)]
)
def test_users_of_a_channel_send_what_the_module_assumes(tmp_path: Path, t: str, low: int, high: int) -> None:
    def verdict(first: int, last: int) -> str:
        text = METER
        for name, number in (("KIND", t), ("LOW", low), ("HIGH", high), ("FROM", first), ("UPTO", last)):
            text = text.replace(name, str(number))
        (tmp_path / "Meter.lf").write_text(text)
        found = lfc("check", "Meter.lf", "--json", cwd=tmp_path)
        document = json.loads(found.out)
        assert f"line.level in {low}..{high} (ASSUME)" in document["assumptions"]
        return str(document["verdict"])

    assert verdict(low, high) == "holds"
    assert verdict(low + 1, high) == verdict(low, high - 1) == "assertion"


CONVERTER = """MODULE Conv;
IMPORT ADC;
VAR v : UINT16;
BEGIN
  ADC.Read(0, v);
  ASSERT(v <= ADC.FULL)
END Conv.
"""


@pytest.mark.parametrize(("board", "values"), [("uno", 1024), ("bluepill", 4096)])
def test_a_converter_of_the_library_knows_its_range(tmp_path: Path, board: str, values: int) -> None:
    (tmp_path / "Conv.lf").write_text(CONVERTER)
    found = lfc("check", "Conv.lf", "-b", board, "--no-record", "--json", "--data", "explicit", cwd=tmp_path)
    document = json.loads(found.out)
    assert document["verdict"] == "holds"
    assert document["states"] > values
    assert document["states"] < 2 * values + 100


def test_without_a_board_the_verdict_names_the_devices(tmp_path: Path) -> None:
    (tmp_path / "Conv.lf").write_text(CONVERTER)
    found = lfc("check", "Conv.lf", cwd=tmp_path)
    assert "assumed: no board: ADC of 8 bits (-b BOARD checks the drivers of a board)\n" in found.out
    named = read_assumptions(machine_of_text(CONVERTER), ())
    assert named.ports == ()

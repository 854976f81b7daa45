"""The models of devices in examples/env, with drivers: what is right holds, and what is slow or wrong is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import load_program
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.conftest import ROOT

MODELS = ROOT / "examples" / "env"


def checked(folder: Path, driver: str, model: str, **wiring: object) -> CheckResult:
    """`driver`: the text of a program; constants of the wiring can be changed."""
    for file in MODELS.glob("*.lf"):
        text = file.read_text(encoding="utf-8")
        if file.stem == "Wiring":
            for name, value in wiring.items():
                (line,) = [part for part in text.split(";") if f"{name}* =" in part]
                text = text.replace(line, line[: line.index(name)] + f"{name}* = {value}")
        (folder / file.name).write_text(text, encoding="utf-8")
    (folder / "Driver.lf").write_text(driver, encoding="utf-8")
    diagnostics = Diagnostics()
    program = load_program(folder / "Driver.lf", diagnostics, environments=[folder / f"{model}.lf"])
    assert program is not None and not diagnostics.has_errors, [(d.code, d.message) for d in diagnostics.items]
    return check(build_machine(program, diagnostics), request_from())


UART = (MODELS / "UartDriver.lf").read_text(encoding="utf-8")
TOLD = "ASSERT(lost OR (byte = expected))"


@pytest.mark.parametrize(
    ("change", "wiring", "verdict"),
    [
        ((TOLD, TOLD), {}, "holds"),  # a byte may be lost, but then that is known
        ((TOLD, "ASSERT(byte = expected)"), {"FAST": "FALSE"}, "holds"),  # below capacity nothing is lost
        ((TOLD, "ASSERT(~lost)"), {"FAST": "FALSE"}, "holds"),
        ((TOLD, "ASSERT(~lost)"), {}, "assertion"),  # a slow driver overruns
        ((TOLD, "ASSERT(~lost)"), {"FAST": "FALSE", "BURST": 5}, "assertion"),  # above capacity
        (("ring[head] :=", "ring[(head + 1) MOD SIZE] :="), {"FAST": "FALSE"}, "assertion"),  # the ring is off by one
        (("IF ODD(status DIV 2) THEN lost := TRUE END;", ""), {}, "assertion"),  # the loss is not told
    ],
)
def test_a_uart(tmp_path: Path, change: tuple[str, str], wiring: dict[str, object], verdict: str) -> None:
    assert change[0] in UART
    result = checked(tmp_path, UART.replace(*change), "UartModel", **wiring)
    assert result.verdict == verdict


BUTTON = """MODULE Driver;
IMPORT Wiring;
VAR stable, last, now : BOOLEAN; same : UINT8;
PROCESS Poll SERVER;
BEGIN
  LOOP
    now := Wiring.BUTTON IN SYSTEM.VAL(SET8, PORTIN(Wiring.PIN));
    IF now = last THEN INC(same) ELSE same := 0 END;
    last := now;
    IF same >= AGREE THEN stable := now; same := AGREE END;
    RESCHEDULE
  END
END Poll;
BEGIN CREATE Poll END Driver.
"""


def test_a_button_that_bounces(tmp_path: Path) -> None:
    """Two reads that agree may both be bounces; a change back within them is seen by who looks on."""
    watch = BUTTON.replace("IMPORT Wiring", "IMPORT SYSTEM, Wiring")
    held = watch.replace("stable := now;", "IF now # stable THEN INC(changes); ASSERT(changes < 3) END; stable := now;")
    held = held.replace("same : UINT8;", "same, changes : UINT8;")
    assert checked(tmp_path, watch.replace("AGREE", "2"), "ButtonModel").verdict == "holds"
    assert checked(tmp_path, held.replace("AGREE", "1"), "ButtonModel").verdict == "assertion"


TIMER = """MODULE Driver;
IMPORT SYSTEM, Wiring;
VAR ticks : UINT8;
PROCESS Tick SERVER;
BEGIN LOOP SYSTEM.INT[Wiring.TICK]?INTERRUPT; ticks := (ticks + 1) MOD 4; CHECK END END Tick;
BEGIN PORTOUT(Wiring.COUNT, 0); CREATE Tick END Driver.
"""


def test_a_timer_does_not_wait(tmp_path: Path) -> None:
    """When its handler runs, the counter may have gone on as far as it likes."""
    assert (
        checked(tmp_path, TIMER.replace("CHECK", "ASSERT(PORTIN(Wiring.COUNT) < 4)"), "TimerModel").verdict == "holds"
    )
    late = TIMER.replace("CHECK", "ASSERT(PORTIN(Wiring.COUNT) = 0)")
    assert checked(tmp_path, late, "TimerModel").verdict == "assertion"


ADC = """MODULE Driver;
IMPORT Wiring;
VAR value : UINT16;
BEGIN PORTOUT(Wiring.CHANNEL, 3); value := PORTIN16(Wiring.RESULT); ASSERT(CONDITION)
END Driver.
"""


def test_a_converter_gives_any_value_of_its_range(tmp_path: Path) -> None:
    inside = "(value >= Wiring.LOW) & (value <= Wiring.HIGH)"
    assert checked(tmp_path, ADC.replace("CONDITION", inside), "AdcModel").verdict == "holds"
    for n in (100, 102, 103):
        assert checked(tmp_path, ADC.replace("CONDITION", f"value # {n}"), "AdcModel").verdict == "assertion"


SENSOR = """MODULE Driver;
IMPORT Wiring;
VAR value, tries : UINT8; done : BOOLEAN;
PROCESS Measure SERVER;
BEGIN
  LOOP
    PORTOUT(Wiring.BUS, 48H);
    IF TEST THEN value := PORTIN(Wiring.BUS); ASSERT(value = 55H) END;
    RESCHEDULE
  END
END Measure;
BEGIN CREATE Measure END Driver.
"""


def test_a_sensor_that_may_not_acknowledge(tmp_path: Path) -> None:
    careful = SENSOR.replace("TEST", "ODD(PORTIN(Wiring.BUS + 1))")
    assert checked(tmp_path, careful, "SensorModel").verdict == "holds"
    result = checked(tmp_path, SENSOR.replace("TEST", "PORTIN(Wiring.BUS + 1) < 2"), "SensorModel")
    assert result.verdict == "fault" and "no process answers the access to port BBH" in result.findings[0].message


def test_the_traffic_light_never_shows_two_greens() -> None:
    diagnostics = Diagnostics()
    folder = ROOT / "examples"
    program = load_program(folder / "traffic.lf", diagnostics, environments=[folder / "traffic_env.lf"])
    assert program is not None
    result = check(build_machine(program, diagnostics), request_from())
    assert result.verdict == "holds" and result.states > 100

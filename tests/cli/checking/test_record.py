"""The way from a check to a board: `lfc check` writes the record, `lfc flash` asks for it, `lfc record` shows it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lfc.records.statement import read_envelope
from lfc.records.store import all_records, load_stored, write_image_check
from tests.cli.checking.projects import NOWHERE, lfc, make_keys
from tests.cli.devices.chips import chip
from tests.cli.lfc import ROOT

LIGHT = """MODULE Light;
VAR on : BOOLEAN; i : INTEGER;
PROPERTY short = ALWAYS i < 4;
PROPERTY ends = EVENTUALLY i = 3;
BEGIN
  FOR i := 0 TO 2 DO on := ~on; RESCHEDULE END
END Light.
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "lf.toml").write_text('main = "Light.lf"\nboard = "uno"\n')
    (tmp_path / "Light.lf").write_text(LIGHT)
    return tmp_path


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / ".lf" / "flashed.jsonl").read_text().splitlines()]


def test_a_project_flashes_what_was_checked_and_nothing_else(project: Path) -> None:
    """A plain image, its HEX file, a changed program, a traced image; all against the real boot loader."""
    refused = lfc("flash", *NOWHERE, cwd=project)
    assert refused.exit == 9
    assert "lfc: uno: check: this image has no valid check: it was not checked; `lfc check` checks it" in refused.err
    checked = lfc("check", cwd=project)
    assert checked.exit == 0 and "\nrecord: .lf/records/" in checked.out
    with chip("uno") as running:
        for _ in range(3):  # the boot loader waits a second; a busy machine may be late
            done = lfc("flash", "-p", running.port, cwd=project)
            if "sync: " not in done.err:
                break
    assert done.exit == 0 and done.err.startswith("checked: holds, 5 states; record .lf/records/"), done.err
    entry = log_of(project)[-1]
    assert (entry["event"], entry["forced"], entry["place"]) == ("flashed", False, running.port)
    assert (project / ".lf" / "records" / entry["record"]).is_file()
    assert lfc("build", cwd=project).exit == 0
    for file in ("Light.elf", "Light.hex"):
        assert "checked: holds" in lfc("flash", file, *NOWHERE, cwd=project).err
    traced = lfc("flash", "--trace", *NOWHERE, cwd=project)
    assert traced.exit == 9 and "a traced image" in traced.err and "checked: holds" not in traced.err
    (project / "Light.lf").write_text(LIGHT.replace("0 TO 2", "1 TO 2"))
    done = lfc("flash", "Light.lf", "-b", "uno", "--scheduler", "edf", "--json", *NOWHERE, cwd=project)
    error = json.loads(done.out)["error"]
    assert done.exit == 9 and error["stage"] == "check" and "has changed since it was checked" in error["message"]
    assert "`lfc check Light.lf -b uno --scheduler edf`" in error["remedy"]


def test_what_is_forced_is_written_down_first(project: Path) -> None:
    done = lfc("flash", "--force", *NOWHERE, cwd=project)
    assert done.exit == 9 and "forced, although this image has no valid check" in done.err and "open: " in done.err
    first, second = log_of(project)
    assert (first["event"], first["objections"], first["forced"]) == ("forced", ["it was not checked"], True)
    assert (second["event"], second["stage"], second["forced"]) == ("failed", "open", True)
    (project / ".lf" / "flashed.jsonl").unlink()
    (project / ".lf" / "flashed.jsonl").mkdir()
    done = lfc("flash", "--force", *NOWHERE, cwd=project)
    assert done.exit == 2 and "the log of --force, cannot be written" in done.err and "open: " not in done.err


def test_what_is_forced_outside_of_a_project_is_written_down_too(tmp_path: Path) -> None:
    (tmp_path / "Light.lf").write_text(LIGHT)
    done = lfc("flash", "Light.lf", "-b", "uno", "--force", *NOWHERE, cwd=tmp_path)
    assert done.exit == 9 and "forced, although this image has no valid check" in done.err and "open: " in done.err
    told = [(e["event"], e["forced"]) for e in log_of(tmp_path)]
    assert told == [("forced", True), ("failed", True)]


def test_checks_that_do_not_open_the_gate(project: Path) -> None:
    for options, told in (
        (("--states", "2"), "has no verdict: state limit reached"),
        (("--property", "short"), "left out the property `ends`"),
        (("--deadlocks", "allow"), "did not search for deadlocks"),
    ):
        lfc("check", *options, cwd=project)
        done = lfc("flash", *NOWHERE, cwd=project)
        assert done.exit == 9 and told in done.err
    (project / "Light.lf").write_text(LIGHT.replace("i < 4", "i < 3"))
    assert lfc("check", cwd=project).exit == 5
    done = lfc("flash", *NOWHERE, cwd=project)
    assert "its check found: property: `short` does not hold" in done.err
    assert lfc("record", "show", cwd=project).exit == 6


# --- levels ---

ENDLESS = """MODULE Light;
VAR on : BOOLEAN; i : INTEGER;
BEGIN
  LOOP on := ~on; i := (i + 1) MOD 1000; RESCHEDULE END
END Light.
"""


def demanding(project: Path, *lines: str) -> None:
    (project / "lf.toml").write_text("\n".join(['main = "Light.lf"', 'board = "uno"', *lines, ""]))


def test_a_project_that_asks_for_no_proof(project: Path) -> None:
    """A search that a limit ended opens the gate, and one line says what it has not shown."""
    demanding(project, 'require = "no-error-found"')
    done = lfc("flash", *NOWHERE, cwd=project)
    assert done.exit == 9 and "this image has no valid check: it was not checked" in done.err
    assert lfc("check", "--states", "2", cwd=project).exit == 6
    (line, _) = lfc("flash", *NOWHERE, cwd=project).err.split("\n", 1)
    (path,) = (project / ".lf" / "records").glob("*.json")
    seconds = load_stored(path).record.seconds
    shown = f"checked: no error found in 3 states, {seconds:.1f} s; not shown: that there is none elsewhere "
    assert line.startswith(shown + "(state limit reached"), line
    assert "), that `ends` holds, that `short` holds; record .lf/records/" in line
    assert lfc("record", "show", cwd=project).exit == 0
    refused = lfc("flash", "--require-checked", *NOWHERE, cwd=project)
    assert refused.exit == 9 and "has no verdict: state limit reached" in refused.err
    assert lfc("check", cwd=project).exit == 0
    assert lfc("flash", *NOWHERE, cwd=project).err.startswith("checked: holds, 5 states; record")


def test_how_much_must_have_been_searched(project: Path) -> None:
    (project / "Light.lf").write_text(ENDLESS)
    assert lfc("check", "--states", "300", cwd=project).exit == 6
    for told, passes in (
        (("at-least-states = 301",), True),
        (("at-least-states = 302",), False),
        (("at-least-seconds = 3600",), False),
        (("at-least-seconds = 3600", "at-least-states = 301"), True),
    ):
        demanding(project, 'require = "no-error-found"', *told)
        done = lfc("flash", *NOWHERE, cwd=project)
        assert ("checked: no error found in 301 states" in done.err) == passes, done.err
        assert ("its check found no error in 301 states in " in done.err) != passes, done.err
        assert lfc("record", "show", cwd=project).exit == (0 if passes else 6)
    assert "but at least 302 states are demanded" in _refusal(project, "at-least-states = 302")
    assert "but at least 400 states or 3600 s are demanded" in _refusal(
        project, "at-least-states = 400", "at-least-seconds = 3600"
    )
    assert lfc("check", "--states", "5", cwd=project).exit == 6  # the longer search stays
    demanding(project, 'require = "no-error-found"', "at-least-states = 301")
    assert "checked: no error found in 301 states" in lfc("flash", *NOWHERE, cwd=project).err


def _refusal(project: Path, *lines: str) -> str:
    demanding(project, 'require = "no-error-found"', *lines)
    done = lfc("flash", *NOWHERE, cwd=project)
    assert done.exit == 9
    return done.err


@pytest.mark.parametrize("told", ['require = "no-error-found"', 'require = "none"', "require-checked = false", None])
def test_a_counterexample_blocks_at_every_level(told: str | None, project: Path) -> None:
    """None: outside of a project."""
    (project / "Light.lf").write_text(LIGHT.replace("i < 4", "i < 3"))
    flash = ("flash", "Light.lf", "-b", "uno", *NOWHERE)
    if told is None:
        (project / "lf.toml").unlink()
    else:
        demanding(project, told)
    refused = told is not None and "error-found" in told
    assert ("check: this image has no valid check" in lfc(*flash, cwd=project).err) == refused
    assert lfc("check", "Light.lf", "-b", "uno", cwd=project).exit == 5
    options: tuple[tuple[str, ...], ...] = ((), ("--no-require-checked",))
    for more in options:
        done = lfc(*flash, *more, cwd=project)
        assert done.exit == 9, done.err
        assert "check: this image has no valid check: its check found: property: `short` does not hold" in done.err
    assert "forced, although this image has no valid check" in lfc(*flash, "--force", cwd=project).err


@pytest.mark.parametrize("told", ["require-checked = true", 'require = "proof"'])
def test_a_project_that_asks_for_a_proof(told: str, project: Path) -> None:
    demanding(project, told)
    assert lfc("check", "--states", "2", cwd=project).exit == 6
    done = lfc("flash", *NOWHERE, cwd=project)
    assert done.exit == 9 and "has no verdict: state limit reached" in done.err


def test_outside_of_a_project_it_is_only_said(tmp_path: Path) -> None:
    (tmp_path / "Light.lf").write_text(LIGHT)
    light = ("Light.lf", "-b", "uno")
    done = lfc("flash", *light, *NOWHERE, cwd=tmp_path)
    assert done.err.startswith("this image has no valid check: it was not checked\nlfc: uno: open: ")
    assert (
        "check: this image has no valid check" in lfc("flash", *light, "--require-checked", *NOWHERE, cwd=tmp_path).err
    )
    assert not (tmp_path / ".lf").exists()
    told = json.loads(lfc("check", *light, "--scheduler", "edf", "--json", cwd=tmp_path).out)
    assert (tmp_path / told["record"]).is_file()
    options = ("--require-checked", *NOWHERE)
    assert "as another image" in lfc("flash", *light, *options, cwd=tmp_path).err
    assert "checked: holds" in lfc("flash", *light, "--scheduler", "edf", *options, cwd=tmp_path).err
    shown = lfc("record", "show", told["image"][:8], cwd=tmp_path)
    assert shown.exit == 0 and "Light.lf on uno: holds" in shown.out and "scheduler edf" in shown.out
    assert "property   ends: holds" in shown.out and "signed     no" in shown.out
    told = json.loads(lfc("check", *light, "--no-record", "--json", cwd=tmp_path).out)
    assert "record" not in told


def test_an_environment_is_part_of_what_is_vouched_for(tmp_path: Path) -> None:
    """And of no part of the image."""
    for name in ("traffic", "traffic_env"):
        (tmp_path / f"{name}.lf").write_text((ROOT / "examples" / f"{name}.lf").read_text())
    board = ("-b", "lm3s6965evb")
    assert lfc("check", "traffic.lf", "--env", "traffic_env.lf", *board, cwd=tmp_path).exit == 0
    done = lfc("flash", "traffic.lf", *board, "--require-checked", cwd=tmp_path)
    assert "checked: holds" in done.err and "under traffic_env.lf; assuming: fairness: " in done.err


def test_an_image_check_under_an_environment_is_none_without_it(project: Path) -> None:
    """It executes fewer states; one without an environment says enough for all."""
    (project / "Near.lf").write_text("ENVIRONMENT MODULE Near;\nIMPORT Light;\nBEGIN END Near.\n")
    told = "its machine code agrees with the program in every state"
    assert lfc("check", "Light.lf", "-b", "uno", "--image", "--env", "Near.lf", cwd=project).exit == 0
    (record,) = (project / ".lf" / "records").glob("*.json")
    assert f"under Near.lf; {told} that its environment leads to; " in lfc("flash", *NOWHERE, cwd=project).err
    assert lfc("check", "Light.lf", "-b", "uno", cwd=project).exit == 0
    (other,) = {*(project / ".lf" / "records").glob("*.json")} - {record}
    assert load_stored(other).record.image_checked is None
    assert lfc("check", "Light.lf", "-b", "uno", "--image", cwd=project).exit == 0
    record.unlink()
    assert lfc("check", "Light.lf", "-b", "uno", "--env", "Near.lf", cwd=project).exit == 0
    assert load_stored(record).record.image_checked == load_stored(other).record.image_checked is not None


def test_the_machine_code_was_executed(project: Path) -> None:
    """What that has shown stays in the record, also when the next check does not look there."""
    assert lfc("check", "Light.lf", "-b", "uno", "--image", cwd=project).exit == 0
    (record,) = (project / ".lf" / "records").glob("*.json")
    for _ in range(2):
        found = load_stored(record).record.image_checked
        assert found is not None
        assert (found["verdict"], found["states"], found["stopped"]) == ("agrees", 5, "") and found["executed"] > 50
        assert "its machine code agrees with the program in every state" in lfc("flash", *NOWHERE, cwd=project).err
        assert lfc("check", cwd=project).exit == 0
    assert "agrees with the program; executed " in lfc("record", "show", cwd=project).out


def test_an_image_that_differs_never_passes(project: Path) -> None:
    """Neither a file that is another image has a record, nor makes a later check up for what was found."""
    assert lfc("build", cwd=project).exit == 0
    (project / "Other.lf").write_text(LIGHT.replace("0 TO 2", "1 TO 2"))
    done = lfc("check", "Other.lf", "-b", "uno", "--image", "Light.hex", cwd=project)
    assert done.exit == 10 and "Light.hex is not the image that is built" in done.err
    assert not (project / ".lf").exists()
    assert lfc("check", cwd=project).exit == 0
    (stored,) = all_records([project / ".lf" / "records"])
    write_image_check(stored.path.parent, stored.record.image, {"verdict": "differs"})
    for _ in range(2):
        assert "does not behave as the program does (--image)" in lfc("flash", *NOWHERE, cwd=project).err
        assert lfc("check", cwd=project).exit == 0


def test_signed_checks(project: Path) -> None:
    make_keys(project, "key", "other")
    (project / "lf.toml").write_text('main = "Light.lf"\nboard = "uno"\ntrusted = "key.pub"\n')
    assert lfc("check", cwd=project).exit == 0
    assert "it is not signed" in lfc("flash", *NOWHERE, cwd=project).err
    (record,) = (project / ".lf" / "records").glob("*.json")
    assert lfc("record", "sign", record, "other", cwd=project).exit == 0
    assert "by none of the keys of" in lfc("flash", *NOWHERE, cwd=project).err
    assert "signed by trusted" in lfc("flash", "--trusted", "other.pub", *NOWHERE, cwd=project).err
    assert lfc("check", "--sign", "key", cwd=project).exit == 0
    assert "signed by trusted" in lfc("flash", *NOWHERE, cwd=project).err
    shown = json.loads(lfc("record", "show", record, "--json", cwd=project).out)["records"]
    assert [(r["opens"], r["signer"]) for r in shown] == [(True, "trusted")]
    envelope = read_envelope(record.read_bytes())
    assert envelope is not None
    forged = replace(envelope, payload=envelope.payload.replace(b'"states": 5', b'"states": 6'))
    record.write_bytes(forged.to_json())
    assert "its signature is wrong" in lfc("flash", *NOWHERE, cwd=project).err


@pytest.mark.parametrize("told", [None, "", "require-checked = false\n", 'require = "no-error-found"\n'])
def test_keys_on_the_command_line_ask_for_a_check(told: str | None, project: Path) -> None:
    """Whatever the project says, and where there is none (None)."""
    make_keys(project, "key", "other")
    light = ("Light.lf", "-b", "uno")
    flash = ("flash", *light, "--trusted", "key.pub", *NOWHERE)
    if told is None:
        (project / "lf.toml").unlink()
    else:
        (project / "lf.toml").write_text(f'main = "Light.lf"\nboard = "uno"\n{told}')
    unchecked = lfc(*flash, cwd=project)
    assert unchecked.exit == 9 and "check: this image has no valid check: it was not checked" in unchecked.err
    assert lfc("check", *light, cwd=project).exit == 0
    assert "check: this image has no valid check: its record " in lfc(*flash, cwd=project).err  # it is not signed
    assert lfc("check", *light, "--sign", "other", cwd=project).exit == 0
    assert "by none of the keys of" in lfc(*flash, cwd=project).err
    (project / "Light.lf").write_text(LIGHT.replace("on := ~on", "on := TRUE"))
    assert lfc("check", *light, "--sign", "key", "--states", "2", cwd=project).exit == 6
    assert "has no verdict: state limit reached" in lfc(*flash, cwd=project).err  # keys want a proof
    (project / "Light.lf").write_text(LIGHT)
    assert lfc(*flash, "--no-require-checked", cwd=project).exit == 2
    forced = lfc(*flash, "--force", cwd=project)
    assert "forced, although this image has no valid check" in forced.err and log_of(project)[0]["event"] == "forced"
    assert lfc("check", *light, "--sign", "key", cwd=project).exit == 0
    assert "signed by trusted" in lfc(*flash, cwd=project).err


def test_wrong_commands(project: Path, tmp_path: Path) -> None:
    assert "there is no key none" in lfc("check", "--sign", "none", cwd=project).err
    for option in (("--sign", "x"), ("--scheduler", "edf"), ("--with", "x.c")):
        done = lfc("check", "Light.lf", *option, cwd=project)
        assert done.exit == 2 and f"{option[0]} is about the record of a check" in done.err
    assert lfc("record", "show", "none.json", cwd=project).exit == 2
    assert lfc("record", "show", "0000", cwd=project).exit == 6
    (project / "bad.json").write_text("{}")
    assert "not a record of a check" in lfc("record", "show", "bad.json", cwd=project).err
    (project / "lf.toml").write_text('main = "Light.lf"\nboard = "uno"\nrequire-checked = "no"\n')
    assert "must be true or false" in lfc("flash", *NOWHERE, cwd=project).err


def test_no_ssh_keygen(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "key").write_text("")
    (project / "bin").mkdir()
    monkeypatch.setenv("PATH", str(project / "bin"))
    done = lfc("check", "--sign", "key", cwd=project)
    assert done.exit == 8 and "ssh-keygen is not installed; install it with: " in done.err


def test_a_folder_that_cannot_be_written(project: Path) -> None:
    """The verdict is what it is; that there is no record is said."""
    (project / ".lf").write_text("")
    done = lfc("check", cwd=project)
    assert done.exit == 0 and "no record is written: " in done.err and "holds" in done.out


def test_a_program_that_does_not_fit_has_no_record(tmp_path: Path) -> None:
    big = LIGHT.replace("VAR ", "VAR big : ARRAY 3000 OF UINT8; ").replace("on := ~on", "big[i] := 1; on := ~on")
    (tmp_path / "Light.lf").write_text(big)
    done = lfc("check", "Light.lf", "-b", "uno", cwd=tmp_path)
    assert done.exit == 0 and "no record is written: " in done.err and not os.path.exists(tmp_path / ".lf")

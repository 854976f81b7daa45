"""A station's story: CI checks and signs, a station flashes by its policy, and each kind of tampering is refused with a
sentence that names the reason."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lfc.base.cache import cache_folder, cached, read_entry
from lfc.base.notices import tell_to
from lfc.records.record import CheckRecord
from lfc.records.signing import sign_statement
from lfc.records.statement import read_envelope, statement_of
from lfc.records.store import load_stored, now, write_record
from tests.cli.checking.projects import NOWHERE, lfc, make_keys
from tests.cli.devices.chips import chip
from tests.cli.lfc import ROOT, Outcome

LIGHT = """MODULE Light;
VAR on : BOOLEAN; i : INTEGER;
PROPERTY short = ALWAYS i < 4;
BEGIN
  FOR i := 0 TO 2 DO on := ~on; RESCHEDULE END
END Light.
"""
POLICY = """boards = ["uno"]
properties = ["short"]
assumptions = []
image-checked = true
resumed = false
revoked-toolchains = ["0.0.9"]
max-age-days = 30
rollback = "refuse"
"""


@dataclass
class Station:
    ci: Path
    folder: Path

    @property
    def record(self) -> Path:
        (found,) = (self.folder / ".lf" / "records").glob("*.json")
        return found

    def flash(self, *more: str | Path, port: tuple[str, ...] = NOWHERE) -> Outcome:
        policy = ("--policy", "policy.toml", "--trusted", "root.pub")
        return lfc("flash", "Light.hex", "-b", "uno", *policy, *port, *more, cwd=self.folder)

    def refusal(self, *more: str | Path) -> str:
        done = self.flash(*more)
        assert done.exit == 9 and "lfc: uno: check: " in done.err and "open: " not in done.err, done.err
        return done.err

    def signed_by_ci(self, **changed: Any) -> None:
        """As if its check had said so."""
        record: CheckRecord = replace(load_stored(self.record).record, **changed)
        self.record.unlink()
        content = sign_statement(statement_of(record), self.ci / "ci")
        write_record(self.folder / ".lf" / "records", record, content)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Station:
    """What CI makes, and what the station gets of it."""
    ci, folder = tmp_path_factory.mktemp("ci"), tmp_path_factory.mktemp("station")
    (ci / "lf.toml").write_text('main = "Light.lf"\nboard = "uno"\n')
    (ci / "Light.lf").write_text(LIGHT)
    make_keys(ci, "ci", "root", "other")
    assert lfc("build", cwd=ci).exit == 0
    assert lfc("check", "Light.lf", "-b", "uno", "--image", "--sign", "ci", cwd=ci).exit == 0
    (ci / "policy.toml").write_text(f"keys = [{json.dumps((ci / 'ci.pub').read_text().strip())}]\n{POLICY}")
    assert lfc("record", "sign", "policy.toml", "root", cwd=ci).exit == 0
    for name in ("Light.hex", "policy.toml", "policy.toml.sig", "root.pub"):
        shutil.copy(ci / name, folder / name)
    shutil.copytree(ci / ".lf", folder / ".lf")
    return Station(ci, folder)


@pytest.fixture
def station(made: Station, tmp_path: Path) -> Iterator[Station]:
    shutil.copytree(made.folder, tmp_path / "station")
    yield Station(made.ci, tmp_path / "station")


def test_what_was_checked_is_flashed(station: Station) -> None:
    """Against the real boot loader; the log has what a rollback is told by."""
    with chip("uno") as running:
        for _ in range(3):  # the boot loader waits a second; a busy machine may be late
            done = station.flash(port=("-p", running.port))
            if "sync: " not in done.err:
                break
    assert done.exit == 0, done.err
    (line, _) = done.err.split("\n", 1)
    assert line.startswith("checked: holds, 5 states; its machine code agrees with the program in every state; ")
    assert "signed by trusted; as policy.toml demands; record .lf/records/" in line
    entry = json.loads((station.folder / ".lf" / "flashed.jsonl").read_text().splitlines()[-1])
    assert (entry["event"], entry["file"], len(entry["policy"])) == ("flashed", "Light.lf", 64)
    assert entry["checked_at"] == load_stored(station.record).record.checked_at


def test_another_image(station: Station) -> None:
    (station.ci / "Other.lf").write_text(LIGHT.replace("0 TO 2", "1 TO 2").replace("Light", "Other"))
    assert lfc("build", "Other.lf", "-b", "uno", "-o", station.folder / "Light.elf", cwd=station.ci).exit == 0
    assert "this image has no valid check: it was not checked" in station.refusal()


def test_another_record(station: Station) -> None:
    envelope = read_envelope(station.record.read_bytes())
    assert envelope is not None
    forged = envelope.payload.replace(b'"states": 5', b'"states": 6')
    station.record.write_bytes(replace(envelope, payload=forged).to_json())
    assert "its signature is wrong" in station.refusal()


def test_another_board(station: Station) -> None:
    description = (ROOT / "boards" / "descriptions" / "uno.toml").read_text()
    (station.folder / "uno.toml").write_text(f"{description}\n[watchdog]\nmilliseconds = 120\n")
    policy = ("--policy", "policy.toml", "--trusted", "root.pub")
    done = lfc("flash", "Light.hex", "--board-file", "uno.toml", *policy, *NOWHERE, cwd=station.folder)
    assert done.exit == 9 and "it was checked with another description of the board uno; check again" in done.err


def test_another_policy(station: Station) -> None:
    policy = station.folder / "policy.toml"
    policy.write_text(policy.read_text().replace('"refuse"', '"allow"'))
    assert "the policy policy.toml: its signature is wrong" in station.refusal()
    (station.folder / "policy.toml.sig").unlink()
    assert "the policy policy.toml: it is not signed" in station.refusal()


def test_another_key(station: Station) -> None:
    record = load_stored(station.record).record
    station.record.write_bytes(sign_statement(statement_of(record), station.ci / "other"))
    assert "it is signed by none of the keys of policy.toml" in station.refusal()
    assert lfc("record", "sign", station.folder / "policy.toml", station.ci / "other", cwd=station.folder).exit == 0
    assert "the policy policy.toml: it is signed by none of the keys of root.pub" in station.refusal()


def test_a_rollback(station: Station) -> None:
    later = (datetime.now(UTC) + timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ")
    entry = {"event": "flashed", "file": "Light.lf", "board": "uno", "checked_at": later, "at": now()}
    (station.folder / ".lf" / "flashed.jsonl").write_text(json.dumps(entry) + "\n")
    assert f"is older than that of what was flashed before ({later}): a rollback (policy.toml)" in station.refusal()


def test_a_forged_checkpoint(station: Station) -> None:
    """What its check has found may be wrong, whoever has signed it. (How it comes to that is tested elsewhere.)"""
    station.signed_by_ci(resumed="unauthenticated")
    assert "its search was resumed from a checkpoint that was not authenticated" in station.refusal()
    station.signed_by_ci(resumed="authenticated")
    assert "its search was resumed from a checkpoint (policy.toml)" in station.refusal()


def test_a_changed_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not used, and made anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    told: list[str] = []
    tell_to(told.append)
    try:
        assert cached("engine.so", lambda: b"right") == b"right" and told == []
        entry = Path(cache_folder()) / "engine.so"
        entry.write_bytes(entry.read_bytes().replace(b"right", b"wrong"))
        assert read_entry("engine.so") is None
        assert cached("engine.so", lambda: b"right") == b"right"
    finally:
        tell_to(None)
    assert told[0] == f"{entry} is damaged, or was changed: it is not used, and made anew"


def test_a_toolchain_that_is_revoked(station: Station) -> None:
    station.signed_by_ci(toolchain={"lfc": "0.0.9"})
    assert "it was checked by lfc 0.0.9, which is revoked (policy.toml)" in station.refusal()


def test_a_project_file_that_asks_for_nothing(station: Station) -> None:
    """Nor do other records count that lie there."""
    record = load_stored(station.record).record
    (station.folder / "lf.toml").write_text('main = "Light.lf"\nboard = "uno"\nrequire = "none"\n')
    station.record.write_bytes(statement_of(record))
    assert "it is not signed" in station.refusal()
    station.record.unlink()
    assert "this image has no valid check: it was not checked" in station.refusal()


def test_another_time(station: Station) -> None:
    station.signed_by_ci(checked_at="2031-01-01T00:00:00Z")
    assert "its check is dated in the future, 2031-01-01T00:00:00Z" in station.refusal()
    station.signed_by_ci(checked_at="2024-01-01T00:00:00Z")
    assert "its check of 2024-01-01T00:00:00Z is older than 30 days (policy.toml)" in station.refusal()
    station.signed_by_ci(checked_at=now())
    (station.folder / ".lf" / "flashed.jsonl").write_text('{"event": "flashed", "at": "2031-01-01T00:00:00Z"}\n')
    assert "the clock of this machine is behind its last flash of 2031-01-01T00:00:00Z" in station.refusal()


def test_what_else_a_policy_refuses(station: Station) -> None:
    for changed, told in (
        ({"properties": {}}, "no check has shown that `short` holds (policy.toml)"),
        ({"assumptions": ("the clock stands",)}, "its check assumes what the policy does not allow: the clock stands"),
        ({"image_checked": None}, "its machine code was not executed in every state (--image) (policy.toml)"),
        ({"verdict": "deadlock"}, "its check found: deadlock"),
    ):
        before = station.record.read_bytes()
        station.signed_by_ci(**changed)
        assert told in station.refusal()
        station.record.write_bytes(before)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "`keys` is missing"),
        ("keys = []\n", "`keys` must be a list of SSH public keys"),
        ('keys = ["what"]\n', "`keys` must be SSH public keys, not `what`"),
        ("key = 1\n", "unknown key `key`; the keys are keys, require, "),
        ('keys = ["ssh-rsa A"]\nrequire = "none"\n', '`require` must be "proof" or "no-error-found"'),
        ('keys = ["ssh-rsa A"]\nmax-age-days = 0\n', "`max-age-days` must be a whole number from 1 to 36500"),
        ('keys = ["ssh-rsa A"]\nmax-age-days = 99999999999\n', "`max-age-days` must be a whole number from 1 to"),
        (f'keys = ["ssh-rsa A"]\nleast-toolchain = "{"9" * 5000}"\n', "`least-toolchain` must be a version, such as"),
        ('keys = ["ssh-rsa A"]\nleast-toolchain = "new"\n', '`least-toolchain` must be a version, such as "0.1.0"'),
        (
            'keys = ["ssh-rsa A"]\nat-least-states = 3\n',
            '`at-least-states` and `at-least-seconds` need `require = "no-e',
        ),
        ("keys = ", "is not valid TOML"),
        ("keys = ['valid-before=\"20200101\" ssh-rsa A']\n", '`keys`: `valid-before="20200101" ssh-rsa A` begins with'),
    ],
)
def test_a_policy_that_makes_no_sense(text: str, told: str, station: Station) -> None:
    (station.folder / "policy.toml").write_text(text)
    done = station.flash()
    assert done.exit == 2 and told in done.err

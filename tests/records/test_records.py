"""Records of checks: what they say, which image they are of, and what opens the gate."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lfc.actions.as_data import program_digest
from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.image.digest import flash_digest
from lfc.image.firmware import build_firmware
from lfc.image.read_files import read_image_file
from lfc.image.tables import read_tables
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.records import store
from lfc.records.demand import Demand, Level
from lfc.records.gate import Candidate, Trust, decide
from lfc.records.making import board_digest, record_of
from lfc.records.record import DEADLOCKS, BadRecord, Build, Scope
from lfc.records.statement import read_record, statement_of
from lfc.records.store import (
    all_records,
    note_flash,
    records_folder,
    with_image_check,
    write_image_check,
    write_record,
    write_whole,
)
from lfc.toolchain.formats import in_format
from tests.differential.stepwise import machine_of_source
from tests.records.made import CANDIDATE, RECORD


def opens(folder: Path, candidate: Candidate) -> str:
    """What speaks against it."""
    decision = decide(candidate, Trust((folder,)))
    assert (decision.opened_by is None) == bool(decision.objections)
    return "; ".join(decision.objections)


def test_it_comes_back_as_it_was_written(tmp_path: Path) -> None:
    stored = write_record(tmp_path / "new" / "folder", RECORD)
    assert [s.record for s in all_records([stored.path.parent])] == [RECORD]
    assert [p.name for p in stored.path.parent.iterdir()] == [RECORD.name]


@pytest.mark.parametrize(
    ("member", "value"),
    [("format", "x"), ("version", 1), ("image", 1), ("states", True), ("errors", [1]), ("build", {}), ("more", 1)],
)
def test_what_is_not_understood_is_no_record(tmp_path: Path, member: str, value: object) -> None:
    data = RECORD.as_data()
    data[member] = value
    with pytest.raises(BadRecord):
        read_record(json.dumps(data).encode())
    (tmp_path / "x.json").write_text(json.dumps(data))
    assert all_records([tmp_path]) == []


def test_only_a_check_that_holds_opens_the_gate(tmp_path: Path) -> None:
    assert opens(tmp_path, CANDIDATE) == "it was not checked"
    write_record(tmp_path, RECORD)
    assert opens(tmp_path, CANDIDATE) == ""
    for verdict, reason, errors, told in (
        ("inconclusive", "time limit reached (--time)", (), "its check has no verdict: time limit reached (--time)"),
        ("assertion", "", ("assertion: x is 3",), "its check found: assertion: x is 3"),
        ("deadlock", "", (), "its check found: deadlock"),
        ("property", "", ("property: `p` does not hold",), "its check found: property: `p` does not hold"),
    ):
        record = replace(RECORD, verdict=verdict, reason=reason, errors=errors)
        folder = tmp_path / verdict
        write_record(folder, record)
        assert opens(folder, CANDIDATE) == told


def test_what_a_check_left_out_keeps_the_gate_closed(tmp_path: Path) -> None:
    write_record(
        tmp_path, replace(RECORD, scope=Scope(properties=("p",), deadlocks="allow", left_out=("q", DEADLOCKS)))
    )
    told = opens(tmp_path, CANDIDATE)
    assert told == "its check did not search for deadlocks (--deadlocks allow); its check left out the property `q`"
    write_record(tmp_path, replace(RECORD, properties={"p": "inconclusive"}))
    assert "`p` has the verdict inconclusive" in opens(tmp_path, CANDIDATE)


def test_the_record_must_be_of_this_very_image(tmp_path: Path) -> None:
    write_record(tmp_path, RECORD)
    assert opens(tmp_path, replace(CANDIDATE, image="cd" * 32)) == ""  # its UF2 file
    other = replace(CANDIDATE, image="ef" * 32)
    assert "as another image" in opens(tmp_path, other)
    assert "has changed since" in opens(tmp_path, replace(other, program="56" * 32))
    assert "traced image" in opens(tmp_path, replace(other, traced=True))
    assert opens(tmp_path, replace(other, board="nano", file="x")) == "the program was checked for another board"
    assert opens(tmp_path, replace(CANDIDATE, board="nano")) != ""
    assert "names another program" in opens(tmp_path, replace(CANDIDATE, program="56" * 32))


def test_a_search_that_anybody_may_have_begun_keeps_the_gate_closed(tmp_path: Path) -> None:
    write_record(tmp_path, replace(RECORD, resumed="unauthenticated", image_checked={"verdict": "agrees"}))
    assert opens(tmp_path, CANDIDATE) == (
        "its search was resumed from a checkpoint that was not authenticated (--unauthenticated)"
    )
    assert with_image_check(tmp_path, RECORD).image_checked is None
    write_record(tmp_path, replace(RECORD, resumed="something else"))
    assert opens(tmp_path, CANDIDATE) != ""
    write_record(tmp_path, replace(RECORD, resumed="authenticated"))
    assert opens(tmp_path, CANDIDATE) == ""
    data = RECORD.as_data()
    del data["resumed"]
    with pytest.raises(BadRecord, match="`resumed` is missing"):
        read_record(json.dumps(data).encode())


def test_no_verdict_never_takes_the_place_of_one(tmp_path: Path) -> None:
    write_record(tmp_path, RECORD)
    write_record(tmp_path, replace(RECORD, verdict="inconclusive", reason="interrupted"))
    assert opens(tmp_path, CANDIDATE) == ""
    write_record(tmp_path, replace(RECORD, verdict="deadlock"))
    assert opens(tmp_path, CANDIDATE) != ""
    write_record(tmp_path, replace(RECORD, verdict="inconclusive", reason="interrupted"))
    assert "deadlock" in opens(tmp_path, CANDIDATE)


def test_an_error_is_not_wiped_out_by_another_search(tmp_path: Path) -> None:
    """Of the same image under the same assumptions: one of the two is wrong."""
    found = replace(RECORD, verdict="deadlock", errors=("deadlock: all wait",))
    write_record(tmp_path, found)
    holds = write_record(tmp_path, RECORD)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([RECORD.name, holds.path.name])
    told = opens(tmp_path, CANDIDATE)
    assert f"the records {holds.path.name} and {RECORD.name} contradict each other (its check found: deadlock" in told
    (tmp_path / RECORD.name).unlink()
    assert opens(tmp_path, CANDIDATE) == ""


@pytest.mark.parametrize(
    ("assumed", "found", "under", "contradict"),
    [
        (("fairness: A weak",), "deadlock", (), True),  # no fairness keeps a deadlock away
        (("fairness: A weak",), "property", (), False),
        (("fairness: A weak",), "property", ("fairness: A weak, B strong",), True),
        (("fairness: A weak",), "property", ("fairness: A strong",), True),
        (("fairness: A strong",), "property", ("fairness: A weak",), False),
        (("adc in 0..1023 (--assume)",), "assertion", (), False),
        (("adc in 0..1023 (--assume)",), "assertion", ("adc in 0..7 (--assume)",), False),
        ((), "assertion", ("adc in 0..7 (--assume)",), True),
        (("Clock.Now reads 0",), "assertion", (), True),  # what a search has left out by itself outweighs nothing
    ],
)
def test_an_error_under_fewer_assumptions_does_not_contradict(
    tmp_path: Path, assumed: tuple[str, ...], found: str, under: tuple[str, ...], contradict: bool
) -> None:
    write_record(tmp_path, replace(RECORD, assumptions=assumed))
    wrong = replace(RECORD, assumptions=under, verdict=found, scope=Scope(properties=("p",)))
    write_record(tmp_path, wrong)
    decision = decide(CANDIDATE, Trust((tmp_path,)))
    assert ("contradict each other" in "; ".join(decision.objections)) == contradict == decision.blocked


def test_an_error_without_the_environment_does_not_contradict(tmp_path: Path) -> None:
    write_record(tmp_path, replace(RECORD, verdict="assertion"))
    nothing = decide(CANDIDATE, Trust((tmp_path,)), Demand(Level.NONE))
    assert nothing.opened_by is None and nothing.blocked
    write_record(tmp_path, replace(RECORD, scope=Scope(environment={"env.lf": "56" * 32})))
    for level in Level:
        decision = decide(CANDIDATE, Trust((tmp_path,)), Demand(level))
        assert decision.opened_by is not None and decision.opened_by.record.verdict == "holds"


@pytest.mark.parametrize("level", Level)
def test_what_may_be_an_error_is_not_told_as_none(tmp_path: Path, level: Level) -> None:
    doubtful = replace(RECORD, verdict="inconclusive", reason="the error may be spurious", errors=("assertion: x",))
    write_record(tmp_path, doubtful)
    decision = decide(CANDIDATE, Trust((tmp_path,)), Demand(level))
    assert decision.opened_by is None and decision.objections == ["its check found what may be an error: assertion: x"]


def test_what_opens_the_gate_without_a_proof(tmp_path: Path) -> None:
    short = replace(RECORD, verdict="inconclusive", reason="time limit reached (--time)", seconds=2.5)
    for demand, passes in (
        (Demand(), False),
        (Demand(Level.NO_ERROR_FOUND), True),
        (Demand(Level.NO_ERROR_FOUND, states=7), True),
        (Demand(Level.NO_ERROR_FOUND, states=8), False),
        (Demand(Level.NO_ERROR_FOUND, seconds=2.5), True),
        (Demand(Level.NO_ERROR_FOUND, seconds=2.6), False),
        (Demand(Level.NO_ERROR_FOUND, states=8, seconds=2.5), True),
    ):
        assert (short.objections(demand) == []) == passes
    loose = Demand(Level.NO_ERROR_FOUND)
    assert replace(short, states=0).objections(loose) != []
    assert replace(short, properties={"p": "violated"}).objections(loose) != []
    assert replace(short, resumed="unauthenticated").objections(loose) != []
    assert replace(short, scope=Scope(left_out=("q",))).objections(loose) != []
    assert replace(short, image_checked={"verdict": "differs"}).objections(loose) != []
    assert replace(RECORD, states=1).objections(Demand(Level.NO_ERROR_FOUND, states=100)) == []  # it is a proof


def test_of_two_searches_without_a_verdict_the_longer_one_stays(tmp_path: Path) -> None:
    long = replace(RECORD, verdict="inconclusive", reason="interrupted", states=100, seconds=9.0)
    write_record(tmp_path, long)
    for other in (replace(long, states=99), replace(long, states=99, seconds=1.0)):
        assert write_record(tmp_path, other).record == long
    longer = replace(long, states=99, seconds=9.5)
    assert write_record(tmp_path, longer).record == longer


def test_records_of_the_toolchain_before_are_read() -> None:
    """They were written before there were files in them, and before the gate had levels."""
    data = RECORD.as_data()
    data["version"] = 3
    with pytest.raises(BadRecord):
        read_record(json.dumps(data).encode())
    del data["files"]
    assert read_record(json.dumps(data).encode()) == RECORD
    data["version"] = 2
    with pytest.raises(BadRecord):
        read_record(json.dumps(data).encode())
    del data["seconds"]
    assert read_record(json.dumps(data).encode()) == RECORD
    for wrong in (-1, "1", True, float("nan")):
        with pytest.raises(BadRecord, match="`seconds` is invalid"):
            read_record(json.dumps(RECORD.as_data() | {"seconds": wrong}).encode())


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = write_record(tmp_path, RECORD)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError):
        write_whole(stored.path, b"x")
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [statement_of(RECORD)]


def test_the_check_of_the_image_is_filled_in(tmp_path: Path) -> None:
    write_record(tmp_path, RECORD)
    assert write_image_check(tmp_path, "00" * 32, {"actions": 3}) == []
    (stored,) = write_image_check(tmp_path, RECORD.image, {"actions": 3})
    assert stored.record == replace(RECORD, image_checked={"actions": 3})
    assert opens(tmp_path, CANDIDATE) == ""


def test_the_log_grows(tmp_path: Path) -> None:
    note_flash(tmp_path, {"event": "forced"})
    note_flash(tmp_path, {"event": "flashed"})
    lines = [json.loads(line) for line in (tmp_path / ".lf" / "flashed.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["forced", "flashed"] and all("at" in line for line in lines)


# --- of a real image ---

LIGHT = """MODULE Light;
VAR on : BOOLEAN; i : INTEGER;
PROPERTY short = ALWAYS i < 4;
BEGIN
  FOR i := 0 TO 2 DO on := ~on; RESCHEDULE END
END Light.
"""


def test_an_image_with_linked_c_has_its_record(tmp_path: Path) -> None:
    """The ELF file names the program together with the C that is in it; so does the record."""
    (tmp_path / "more.c").write_text("#include <stdint.h>\nvoid Calls_Act(void) { *(volatile uint8_t *)0x25 = 1; }\n")
    text = "MODULE Calls; PROCESS Act EXTERNAL; BEGIN Act END Calls.\n"
    board, machine = load_board("uno"), machine_of_source(Source("Calls.lf", text))
    firmware = build_firmware(board, machine, c_files=[str(tmp_path / "more.c")])
    result = check(machine, request_from(threads=1))
    record = record_of(machine, board, firmware, Build(), request_from(), result)
    tables = read_tables(firmware.image.elf)
    assert tables is not None and tables.program != program_digest(machine).hex()
    write_record(tmp_path / "records", record)
    candidate = Candidate(firmware.digest, board.name, tables.program, "Calls.lf")
    assert "another program" not in opens(tmp_path / "records", candidate)


@pytest.mark.parametrize("name", ["uno", "pico", "bluepill"])
def test_each_file_of_an_image_has_its_record(name: str, tmp_path: Path) -> None:
    board, machine = load_board(name), machine_of_source(Source("Light.lf", LIGHT))
    result = check(machine, request_from(threads=1))
    assert result.verdict == "holds"
    firmware = build_firmware(board, machine)
    record = record_of(machine, board, firmware, Build(), request_from(), result)
    assert record.image == firmware.digest and record.states == result.states
    assert record.properties == {"short": "holds"} and record.scope.left_out == ()
    assert record.program == program_digest(machine).hex()
    tables = read_tables(firmware.image.elf)
    assert tables is not None and tables.program == record.program
    for form in ("elf", *board.outputs):
        flash, start = firmware.image.flash, board.flash.start
        content = firmware.image.elf if form == "elf" else in_format(form, flash, start, board.family)
        path = tmp_path / f"light.{form}"
        path.write_bytes(content)
        image = flash_digest(read_image_file(path, start).flash)
        assert record.is_of(image), form
    address, piece = next(iter(firmware.image.flash.items()))
    assert not record.is_of(flash_digest({**firmware.image.flash, address: bytes([piece[0] ^ 1]) + piece[1:]}))
    traced = build_firmware(board, machine, trace=True)
    assert not record.is_of(traced.digest)
    assert not record.is_of(build_firmware(board, machine, "edf").digest)
    only = record_of(machine, board, firmware, Build(), request_from(allow_deadlocks=True), result)
    assert only.scope.left_out == (DEADLOCKS,) and only.name != record.name


def test_a_digest_does_not_ask_how_the_flash_is_cut() -> None:
    assert flash_digest({0: b"ab", 2: b"c", 9: b""}) == flash_digest({0: b"abc"})
    assert len({flash_digest(f) for f in ({0: b"abc"}, {0: b"ab", 3: b"c"}, {1: b"abc"}, {0: b"abd"})}) == 4


def test_a_board_is_known_by_what_it_says() -> None:
    uno = load_board("uno")
    assert board_digest(uno) == board_digest(load_board("uno")) != board_digest(replace(uno, watchdog=100))


# --- what cannot be true of one check ---


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"verdict": "fine"}, "its check found: fine"),
        ({"reason": "time limit reached"}, "it holds, but for a reason it is not known: time limit reached"),
        ({"states": 0}, "it holds, but no state was visited"),
        ({"transitions": -1}, "a count is below 0"),
        ({"scope": Scope(deadlocks="allow")}, "it looked for deadlocks, and left them out"),
        ({"scope": Scope(deadlocks="perhaps")}, "deadlocks are neither allowed nor reported: perhaps"),
        ({"scope": Scope(left_out=("p",))}, "it left out `p`, and has a verdict on it"),
        ({"scope": Scope(properties=("q",))}, "a property was named, and has no verdict"),
        ({"program": "12"}, "a digest has not 64 digits"),
        ({"checked_at": "yesterday"}, "`yesterday` is no time"),
        ({"toolchain": {}}, "it does not say which toolchain has checked"),
        ({"image_checked": {"verdict": "well"}}, "the image's verdict `well` is unknown"),
        (
            {"image_checked": {"verdict": "agrees", "stopped": "out of memory"}},
            "the image agrees in every state, but its check was stopped: out of memory",
        ),
        ({"image_checked": {"executed": 9, "bytes": 8}}, "more of the image was executed than there is"),
    ],
)
def test_a_record_that_contradicts_itself_opens_nothing(changed: dict[str, Any], told: str, tmp_path: Path) -> None:
    write_record(tmp_path, replace(RECORD, **changed))
    assert told in opens(tmp_path, replace(CANDIDATE, program=None))


def test_the_gate_reads_the_board_the_scheduler_and_the_time(tmp_path: Path) -> None:
    write_record(tmp_path, RECORD)
    assert opens(tmp_path, replace(CANDIDATE, board_digests=frozenset({RECORD.board_digest}), scheduler="rr")) == ""
    other = replace(CANDIDATE, board_digests=frozenset({"56" * 32}))
    assert opens(tmp_path, other) == "it was checked with another description of the board uno; check again"
    assert opens(tmp_path, replace(CANDIDATE, scheduler="edf")) == "its record is of the scheduler rr, not edf"
    before = datetime(2026, 1, 1, tzinfo=UTC)
    told = decide(CANDIDATE, Trust((tmp_path,), at=before)).objections
    assert told == ["its check is dated in the future, 2026-01-02T03:04:05Z; is the clock of this machine right?"]
    assert decide(CANDIDATE, Trust((tmp_path,), at=before + timedelta(hours=27))).opened_by is not None


def test_a_record_beside_an_image_from_elsewhere_needs_a_signature(tmp_path: Path) -> None:
    """But what it has found counts."""
    own, beside = tmp_path / "own" / ".lf" / "records", tmp_path / "elsewhere" / ".lf" / "records"
    write_record(beside, RECORD)
    told = decide(CANDIDATE, Trust((own,), (beside,))).objections
    assert told == [
        f"its record elsewhere/.lf/records/{RECORD.name} is not this project's own, and no key is trusted (--trusted)"
    ]
    write_record(own, RECORD)
    assert decide(CANDIDATE, Trust((own,), (beside,))).opened_by is not None
    write_record(beside, replace(RECORD, verdict="deadlock"))
    assert "contradict each other" in decide(CANDIDATE, Trust((own,), (beside,))).objections[0]


# --- the folder ---


@pytest.mark.parametrize("which", [".lf", ".lf/records"])
def test_a_link_in_place_of_the_folder_is_not_followed(which: str, tmp_path: Path) -> None:
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "project" / which
    link.parent.mkdir(parents=True)
    write_record(elsewhere if which != ".lf" else elsewhere / "records", RECORD)
    link.symlink_to(elsewhere)
    folder = records_folder(tmp_path / "project")
    assert opens(folder, CANDIDATE) == "it was not checked"
    with pytest.raises(OSError, match="it is a link, which is not followed"):
        write_record(folder, RECORD)
    if which == ".lf":
        with pytest.raises(OSError, match="it is a link, which is not followed"):
            note_flash(tmp_path / "project", {"event": "flashed"})


def test_a_record_that_is_a_link_is_none(tmp_path: Path) -> None:
    stored = write_record(tmp_path / "elsewhere", RECORD)
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / stored.path.name).symlink_to(stored.path)
    assert all_records([tmp_path / "records"]) == []


def test_of_two_writers_none_wipes_out_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes second reads what the first has written. Were both to read first, the one that holds would win."""
    found = replace(RECORD, verdict="deadlock", errors=("deadlock: all wait",))
    both, has_found = threading.Barrier(2), threading.Event()

    def slow(path: Path, content: bytes) -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.2)
        if b"all wait" not in content:
            has_found.wait(0.2)
        write_whole(path, content)
        has_found.set()

    monkeypatch.setattr(store, "write_whole", slow)
    writers = [threading.Thread(target=write_record, args=(tmp_path, record)) for record in (RECORD, found)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert "deadlock" in [s.record.verdict for s in all_records([tmp_path])]

"""From a forged checkpoint there is no way to a board: by no check, record, signature, nor another checkpoint."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from lfc.mcheck.search.checkpoint_key import key_file
from lfc.records.store import all_records
from tests.cli.checking.projects import NOWHERE, lfc, make_keys
from tests.mcheck.search.forging import all_done, body_of, sealed_by, summed_again

STEPS = "MODULE Steps; VAR i : INTEGER;\nBEGIN FOR i := 0 TO 9 DO ASSERT(i < 8); RESCHEDULE END END Steps.\n"
HOLDS = STEPS.replace("i < 8", "i < 10")
REFUSED = "its search was resumed from a checkpoint that was not authenticated (--unauthenticated)"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "lf.toml").write_text('main = "Steps.lf"\nboard = "uno"\n')
    (tmp_path / "Steps.lf").write_text(STEPS)
    return tmp_path


def saved(project: Path) -> bytes:
    assert lfc("check", "--states", "4", "--checkpoint", "saved", cwd=project).exit == 6
    return (project / "saved").read_bytes()


def record_in(project: Path) -> dict[str, Any]:
    """The one that says that it holds."""
    (found,) = [s.record for s in all_records([project / ".lf" / "records"]) if s.record.verdict == "holds"]
    return asdict(found)


def test_an_honest_one_finds_the_error(project: Path) -> None:
    saved(project)
    done = lfc("check", "--resume", "saved", cwd=project)
    assert done.exit == 4 and "an assertion can fail" in done.out
    assert "the search was resumed from a checkpoint, authenticated" in done.out


@pytest.mark.parametrize("seal", ["left", "none", "other key", "key that is no secret"])
def test_a_forged_one_is_refused(seal: str, project: Path) -> None:
    content = saved(project)
    body = all_done(content)
    forged = {
        "left": summed_again(body, content[-32:]),
        "none": summed_again(body),
        "other key": sealed_by(body, os.urandom(32)),
        "key that is no secret": sealed_by(body, b""),
    }[seal]
    (project / "saved").write_bytes(forged)
    done = lfc("check", "--resume", "saved", cwd=project)
    assert done.exit == 2 and "saved cannot be resumed: it is not authenticated" in done.err
    assert "check without --resume" in done.err and not list(project.glob(".lf/records/*holds*"))
    assert lfc("flash", *NOWHERE, cwd=project).exit == 9


def test_going_on_knowingly_opens_no_gate(project: Path) -> None:
    """Though the verdict is a wrong one, and whoever signs it."""
    make_keys(project, "key")
    (project / "saved").write_bytes(summed_again(all_done(saved(project))))
    told = json.loads(lfc("check", "--resume", "saved", "--unauthenticated", "--json", cwd=project).out)
    assert (told["verdict"], told["states"], told["resumed"]) == ("holds", 5, "unauthenticated")
    assert any("not authenticated" in a for a in told["assumptions"])
    assert record_in(project)["resumed"] == "unauthenticated"
    done = lfc("flash", *NOWHERE, cwd=project)
    assert done.exit == 9 and REFUSED in done.err
    again = lfc("check", "--resume", "saved", "--unauthenticated", "--sign", "key", cwd=project)
    assert again.exit == 0 and "assumed: the checkpoint is genuine, although it is not" in again.out
    done = lfc("flash", "--trusted", "key.pub", *NOWHERE, cwd=project)
    assert done.exit == 9 and REFUSED in done.err
    shown = lfc("record", "show", cwd=project)
    assert shown.exit == 6 and "resumed    from a checkpoint, unauthenticated" in shown.out


def test_it_does_not_become_authentic_by_being_saved(project: Path) -> None:
    (project / "saved").write_bytes(summed_again(all_done(saved(project))))
    more = ("--unauthenticated", "--checkpoint", "again")
    assert lfc("check", "--resume", "saved", *more, cwd=project).exit == 0
    done = lfc("check", "--resume", "again", cwd=project)
    assert done.exit == 2 and "again cannot be resumed: it is not authenticated" in done.err
    assert (project / "again").read_bytes()[-32:] == bytes(32)


def test_one_of_the_users_own_opens_it(project: Path) -> None:
    """Also by --unauthenticated, which says that it need not be."""
    (project / "Steps.lf").write_text(HOLDS)
    content = saved(project)
    assert content == sealed_by(body_of(content), key_file().read_bytes())
    for more in ((), ("--unauthenticated",)):
        assert lfc("check", "--resume", "saved", *more, cwd=project).exit == 0
        assert record_in(project)["resumed"] == "authenticated"
        done = lfc("flash", *NOWHERE, cwd=project)
        assert "checked: holds, 12 states; resumed from a checkpoint (authenticated)" in done.err, done.err


def test_without_the_key(project: Path) -> None:
    """Another user, another machine, a key that was removed."""
    (project / "Steps.lf").write_text(HOLDS)
    saved(project)
    key_file().unlink()
    assert lfc("check", "--resume", "saved", cwd=project).exit == 2
    assert not key_file().exists()
    assert lfc("check", "--resume", "saved", "--unauthenticated", cwd=project).exit == 0
    assert REFUSED in lfc("flash", *NOWHERE, cwd=project).err
    key_file().write_bytes(bytes(32))
    key_file().chmod(0o644)
    for option in ("--resume", "--checkpoint"):
        done = lfc("check", option, "saved", cwd=project)
        assert done.exit == 2 and "is accessible to others (mode 0644); remove it" in done.err
    assert lfc("check", "--unauthenticated", cwd=project).exit == 2

"""`lfc add`, `lfc vendor`, and what `lfc check` does with packages."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.cli.programs.add import with_dependency, write_whole
from lfc.editor.analysis.analyse import analyse_source
from lfc.editor.analysis.project import setting_of
from tests.cli.checking.projects import lfc, make_keys
from tests.packages.repositories import committed, files, project, sensor


def test_add_from_git_and_check(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    commit = committed(far)
    root = project(tmp_path / "app")
    done = lfc("check", "Main.lf", cwd=root)
    assert done.exit == 1 and "there is no module `Sensor`" in done.err
    done = lfc("add", "sensor", "--git", str(far), cwd=root)
    assert (done.exit, done.err) == (0, f"sensor: {far} at {commit[:12]}\n")
    assert f'commit = "{commit}", hash = "sha256:' in (root / "lf.toml").read_text()
    done = lfc("check", "--no-record", cwd=root)
    assert done.exit == 0 and "package sensor: SensorTest.lf: holds, 2 states\n" in done.err
    shutil.rmtree(root / ".lf")
    assert "`sensor` is not here yet: `lfc add` fetches it" in lfc("check", "Main.lf", cwd=root).err
    assert lfc("add", cwd=root).exit == 0
    assert lfc("vendor", cwd=root).err == "vendor/sensor\n"
    shutil.rmtree(far)
    shutil.rmtree(root / ".lf")
    assert lfc("check", "Main.lf", cwd=root).exit == 0


def test_a_package_whose_check_fails(tmp_path: Path) -> None:
    sensor(tmp_path / "far", answer=1)
    root = project(tmp_path / "app")
    assert lfc("add", "sensor", "--path", "../far", cwd=root).exit == 0
    done = lfc("check", "--no-record", cwd=root)
    assert done.exit == 4 and "the check of the package `sensor` does not hold; `lfc check " in done.err
    assert lfc("add", "sensor", "--path", "../far", "--check", "none", cwd=root).exit == 0
    assert lfc("check", "--no-record", cwd=root).exit == 0


def test_a_package_that_is_trusted_by_signature(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    make_keys(tmp_path, "maker", "stranger")
    root = project(tmp_path / "app", more='trusted = "keys"\n')
    (root / "keys").write_text((tmp_path / "maker.pub").read_text())
    assert lfc("add", "sensor", "--path", "../far", "--check", "trust", cwd=root).exit == 0
    done = lfc("check", "--no-record", cwd=root)
    assert done.exit == 6 and "no record of the package `sensor` opens for SensorTest.lf: there is none" in done.err
    for key, code, said in (
        ("stranger", 6, "SensorTest.lf: "),
        ("maker", 0, "package sensor: SensorTest.lf: a record with a trusted signature says that it holds\n"),
    ):
        shutil.rmtree(far / "records", ignore_errors=True)
        shutil.rmtree(far / ".lf", ignore_errors=True)
        made = lfc("check", "SensorTest.lf", "-b", "uno", "--path", "src", "--sign", str(tmp_path / key), cwd=far)
        assert made.exit == 0, made.err
        shutil.copytree(far / ".lf" / "records", far / "records")
        done = lfc("check", "--no-record", cwd=root)
        assert done.exit == code and said in done.err, done.err
    files(far, src__Sensor_lf=(far / "src" / "Sensor.lf").read_text().replace("* 2", "* 4"))
    done = lfc("check", "--no-record", cwd=root)
    assert done.exit == 6 and "it is of another program" in done.err


def test_what_cannot_be_added_leaves_the_project_as_it_was(tmp_path: Path) -> None:
    root = project(tmp_path / "app")
    before = (root / "lf.toml").read_text()
    for arguments, code, said in [
        (("x", "--path", "../none"), 2, "There is no folder ../none (--path counts from"),
        (("x", "--git", str(tmp_path / "none")), 2, f"{tmp_path / 'none'} cannot be fetched: "),
        (("a.b", "--path", ".."), 2, "`a.b` is no name of a package"),
        (("x", "--git", str(tmp_path / "none"), "--commit", "main"), 2, "a branch or a tag may move"),
        (("x",), 2, "A package comes from --path DIR or from --git URL"),
        (("x", "--path", "a", "--git", "b"), 2, "give one of them"),
        (("x", "--path", "a", "--commit", "b"), 2, "--commit is for --git"),
        (("--path", "a"), 2, "Which package?"),
    ]:
        done = lfc("add", *arguments, cwd=root)
        assert done.exit == code and said in done.err, done.err
        assert (root / "lf.toml").read_text() == before and not (root / "lf.lock").exists()
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    assert "There is no project here" in lfc("vendor", cwd=nowhere).err


def test_a_package_without_a_program_is_no_project(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    assert lfc("check", "SensorTest.lf", "--path", "src", cwd=far).exit == 0
    done = lfc("check", cwd=far)
    assert done.exit == 2 and "Which program?" in done.err


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('main = "a"\n', 'main = "a"\n\n[dependencies]\nx = NEW\n'),
        ("[dependencies]\ny = 1\n", "[dependencies]\ny = 1\nx = NEW\n"),
        ("[dependencies] # all\nx = 1\ny = 1\n\n[sweep]\n", "[dependencies] # all\ny = 1\nx = NEW\n\n[sweep]\n"),
    ],
)
def test_the_line_in_lf_toml(before: str, after: str) -> None:
    assert with_dependency(before, "x", "NEW") == after


def test_an_editor_finds_the_modules(tmp_path: Path) -> None:
    sensor(tmp_path / "far")
    root = project(tmp_path / "app")
    assert lfc("add", "sensor", "--path", "../far", cwd=root).exit == 0
    setting = setting_of(str(root / "Main.lf"))
    found = analyse_source(Source(str(root / "Main.lf"), (root / "Main.lf").read_text()), [], setting)
    assert found.program is not None and [m.name for m in found.program.modules] == ["Sensor", "Main"]
    (root / "lf.lock").unlink()
    assert setting_of(str(root / "Main.lf")).modules == ()


def test_a_full_disk_costs_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new file is whole before it takes the place of the old one."""
    file = tmp_path / "lf.toml"
    file.write_text("old")

    def full(self: Path, content: bytes) -> int:
        with open(self, "wb") as half:
            half.write(content[:1])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(file, b"new")
    assert [f.name for f in tmp_path.iterdir()] == ["lf.toml"] and file.read_text() == "old"


def test_a_repository_by_a_path_from_the_project(tmp_path: Path) -> None:
    """Wherever in it one works."""
    committed(sensor(tmp_path / "far"))
    root = project(tmp_path / "app")
    (root / "below").mkdir()
    done = lfc("add", "sensor", "--git", "../far", cwd=root / "below")
    assert done.exit == 0, done.err
    shutil.rmtree(root / ".lf")
    assert lfc("add", cwd=root / "below").exit == 0 and (root / ".lf" / "packages").is_dir()


def test_vendor_does_not_leave_the_project(tmp_path: Path) -> None:
    sensor(tmp_path / "sensor")
    root = project(tmp_path / "app", 'sensor = { path = "../sensor" }\n')
    outside = tmp_path / "outside"
    outside.mkdir()
    for link in (root / "vendor", root / "vendor" / "sensor"):
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(outside)
        done = lfc("vendor", cwd=root)
        assert done.exit == 2 and f"{link} is a symbolic link" in done.err and not list(outside.iterdir()), done.err
        link.unlink()
    (root / "vendor").rmdir()
    (root / "vendor").write_text("")
    done = lfc("vendor", cwd=root)
    assert done.exit == 2 and f"{root / 'vendor' / 'sensor'} cannot be written: File exists." in done.err

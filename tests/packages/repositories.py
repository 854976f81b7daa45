"""Packages and git repositories for tests, in folders of this machine."""

from __future__ import annotations

import subprocess
from pathlib import Path

SENSOR = """MODULE Sensor;
VAR last : INTEGER;
PROCESS Read*(VAR x : INTEGER);
BEGIN
  x := last * 2
END Read;
END Sensor.
"""
SENSOR_TEST = """MODULE SensorTest;
IMPORT Sensor;
VAR x : INTEGER;
BEGIN
  Sensor.Read(x);
  ASSERT(x = {})
END SensorTest.
"""
MAIN = """MODULE Main;
IMPORT Sensor;
VAR x : INTEGER;
BEGIN
  Sensor.Read(x);
  ASSERT(x = 0)
END Main.
"""


def files(folder: Path, **texts: str) -> Path:
    """`lf_toml` is lf.toml, `src__Sensor_lf` is src/Sensor.lf."""
    for name, text in texts.items():
        file = folder / ".".join(name.replace("__", "/").rsplit("_", 1))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def package(folder: Path, name: str, more: str = "", **texts: str) -> Path:
    return files(folder, lf_toml=f'[package]\nname = "{name}"\nmodules = "src"\n{more}', **texts)


def sensor(folder: Path, answer: int = 0) -> Path:
    checks = 'checks = ["SensorTest.lf"]\n'
    return package(folder, "sensor", checks, src__Sensor_lf=SENSOR, SensorTest_lf=SENSOR_TEST.format(answer))


def project(folder: Path, dependencies: str = "", more: str = "") -> Path:
    text = f'main = "Main.lf"\nboard = "uno"\n{more}'
    return files(folder, lf_toml=text + (f"\n[dependencies]\n{dependencies}" if dependencies else ""), Main_lf=MAIN)


def git(folder: Path, *arguments: str) -> str:
    settings = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def committed(folder: Path) -> str:
    """All of a folder as a commit of its own repository; its number."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "as it is")
    return git(folder, "rev-parse", "HEAD")

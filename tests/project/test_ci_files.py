"""The action, the component, the hooks and the recipe of an image: what they run is run here, as a shell would."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from lfc.doctor.tools import TOOLS
from tests.conftest import ROOT

CI = ROOT / "release" / "ci"
LIGHT = "MODULE Light;\nVAR i : INTEGER;\nBEGIN\n  FOR i := 0 TO 2 DO RESCHEDULE END\nEND Light.\n"


def with_lfc(folder: Path, **more: str) -> dict[str, str]:
    (folder / "bin").mkdir()
    script = f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)} -P -m lfc "$@"\n'
    (folder / "bin" / "lfc").write_text(script)
    (folder / "bin" / "lfc").chmod(0o755)
    return {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "LFC_PACKAGE": "", **more}


def steps_of(which: str) -> tuple[list[str], list[str]]:
    """The shell, and its scripts."""
    if which == "action":
        steps = yaml.safe_load((CI / "action.yml").read_text())["runs"]["steps"]
        assert {s["shell"] for s in steps} == {"bash"}
        return ["bash", "-e", "-o", "pipefail", "-c"], [s["run"] for s in steps]
    _, job = yaml.safe_load_all((CI / "gitlab.yml").read_text())
    scripts: list[str] = job["lfc-check"]["script"]
    return ["sh", "-e", "-c"], scripts


@pytest.mark.parametrize("which", ["action", "component"])
@pytest.mark.parametrize(("text", "exit_code"), [(LIGHT, 0), (LIGHT.replace("RESCHEDULE", "ASSERT(i < 2)"), 4)])
def test_what_a_code_host_runs(which: str, text: str, exit_code: int, tmp_path: Path) -> None:
    (tmp_path / "My light.lf").write_text(text)
    given = {"LFC_FILE": "My light.lf", "LFC_BOARD": "uno", "LFC_OPTIONS": "--time 60 --threads 1", "LFC_SIGN": ""}
    environment = with_lfc(tmp_path, **given, GITHUB_STEP_SUMMARY=str(tmp_path / "lfc-summary.md"))
    shell, scripts = steps_of(which)
    codes = []
    for script in scripts:
        done = subprocess.run([*shell, script], cwd=tmp_path, env=environment, capture_output=True, check=False)
        codes.append(done.returncode)
    assert codes == [0, exit_code], done.stderr.decode()
    assert (tmp_path / "lfc-junit.xml").read_text().startswith("<?xml")
    assert (tmp_path / "lfc-summary.md").read_text().startswith("## `Light`: ")
    assert '"version": "2.1.0"' in (tmp_path / "lfc.sarif").read_text()
    assert len(list((tmp_path / ".lf" / "records").glob("*.json"))) == 1


def test_inputs_reach_a_shell_as_variables_only() -> None:
    """An input in a script would be a piece of it."""
    for file in ("action.yml", "gitlab.yml"):
        text = (CI / file).read_text()
        for line in text.splitlines():
            if "${{" in line or "$[[" in line:
                assert re.fullmatch(r' +[A-Za-z_]+: "?(\$\{\{ inputs\.\w+ \}\}|\$\[\[ inputs\.\w+ \]\])"?', line), line


def test_hooks_are_commands(tmp_path: Path) -> None:
    hooks: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [h["id"] for h in hooks] == ["lfc-fmt", "lfc-check"]
    (tmp_path / "Light.lf").write_text(LIGHT)
    environment = with_lfc(tmp_path)
    for hook in hooks:
        command = [*shlex.split(hook["entry"]), *hook.get("args", []), "Light.lf"]
        assert subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False).returncode == 0
        assert re.search(hook["files"], "a/Light.lf") and not re.search(hook["files"], "Light.lfx")


def test_the_recipe_of_an_image_names_what_is_there() -> None:
    """No container is built here; its packages and files exist."""
    lines = (CI / "Containerfile").read_text().splitlines()
    installed = re.search(r"--no-install-recommends ([\w -]+?) &&", "\n".join(lines))
    assert installed is not None
    known = {word for tool in TOOLS for word in re.findall(r"[\w.-]+", str(tool))}
    assert set(installed[1].split()) <= known
    assert (ROOT / "constraints.txt").is_file() and lines[-1] == 'ENTRYPOINT ["lfc"]' and "USER lfc" in lines

"""The extension in the real thing: VS Code as code-server, in Chromium. Pictures of every scene are to be looked at.

    python -m tests.campaign.editor.code_server --tools DIR --pictures DIR [--install] [SCENE...]

`--tools`: a folder for npm's packages; with `--install` they are fetched, which takes some minutes and compiles native
modules: Debian's libkrb5-dev libx11-dev libxkbfile-dev libsecret-1-dev pkg-config chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.conftest import ROOT
from tests.editor.programs import MIXED, SLIP

PACKAGES = ("node@24", "playwright-core@1.65", "code-server@4.139.1")
WITH_SCRIPTS = ("code-server", "argon2")  # these compile or fetch what they need when they are installed
EXTENSION = ROOT / "editors" / "vscode"
EXAMPLES = ("traffic.lf", "traffic_env.lf", "prodcons.lf", "philosophers.lf")
START = 120.0  # seconds
SETTINGS = {
    "telemetry.telemetryLevel": "off",
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "files.autoSave": "off",
    "lf.path": str(Path(sys.executable).with_name("lfc")),
}


def install(tools: Path) -> None:
    tools.mkdir(parents=True, exist_ok=True)
    in_tools = {"cwd": tools, "env": with_tools(tools)}
    if not (tools / "package.json").exists():
        subprocess.run(["npm", "init", "-y"], check=True, **in_tools)  # type: ignore[call-overload]
    for packages in (PACKAGES[:-1], PACKAGES[-1:]):  # node first: it is what installs the others
        subprocess.run(["npm", "install", *packages], check=True, **in_tools)  # type: ignore[call-overload]
    subprocess.run(["npm", "install-scripts", "approve", *WITH_SCRIPTS], check=False, **in_tools)  # type: ignore[call-overload]
    subprocess.run(["npm", "rebuild", *WITH_SCRIPTS], check=True, **in_tools)  # type: ignore[call-overload]


def with_tools(tools: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{tools / 'node_modules' / '.bin'}:{os.environ['PATH']}", "LF_TOOLS": str(tools)}


def pack() -> Path:
    """The extension as users get it."""
    if not (EXTENSION / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=EXTENSION, check=True)
    subprocess.run(["npm", "run", "package"], cwd=EXTENSION, check=True, stdout=subprocess.DEVNULL)
    return EXTENSION / "lf-toolchain.vsix"


def fill(folder: Path, home: Path) -> None:
    for name in EXAMPLES:
        shutil.copy(ROOT / "examples" / name, folder)
    (folder / "Slip.lf").write_text(SLIP, encoding="utf-8")
    (folder / "Mixed.lf").write_text(MIXED, encoding="utf-8")
    settings = home / "User" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(SETTINGS), encoding="utf-8")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def run(tools: Path, pictures: Path, scenes: list[str]) -> int:
    env = with_tools(tools)
    with tempfile.TemporaryDirectory() as name:
        work, home, extensions = (Path(name) / n for n in ("work", "home", "extensions"))
        for folder in (work, home, extensions):
            folder.mkdir()
        fill(work, home)
        folders = ["--user-data-dir", str(home), "--extensions-dir", str(extensions)]
        subprocess.run(["code-server", *folders, "--install-extension", str(pack())], check=True, env=env)
        port = free_port()
        options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", *folders]
        options += ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"]
        with (pictures / "code-server.log").open("w") as log:
            server = subprocess.Popen(["code-server", *options], env=env, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/healthz")
            url = f"http://127.0.0.1:{port}/?folder={work}"
            script = ROOT / "tests" / "campaign" / "editor" / "browser.js"
            return subprocess.run(["node", str(script), url, str(pictures), *scenes], env=env, check=False).returncode
        finally:
            server.terminate()
            server.wait(30)


def wait_for(url: str) -> None:
    end = time.monotonic() + START
    while True:
        try:
            with urlopen(url, timeout=5):
                return
        except (URLError, OSError):
            if time.monotonic() > end:
                raise
            time.sleep(0.3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--pictures", type=Path, required=True)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("scenes", nargs="*", help="only these, by their names in browser.js")
    options = parser.parse_args()
    if options.install:
        install(options.tools)
    options.pictures.mkdir(parents=True, exist_ok=True)
    sys.exit(run(options.tools.absolute(), options.pictures.absolute(), options.scenes))


if __name__ == "__main__":
    main()

"""Makes the playground: a folder of files for any web server, which needs nothing else and is told nothing.

    python -m release.playground FOLDER --pyodide DIR [--serve PORT]

`--pyodide`: the npm package `pyodide` (`npm install pyodide@314`), whose files are copied. Python, the front end, the
formatter and the explorer of the tests run in the reader's browser.
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.semantics.analyse import analyse

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path(__file__).with_name("playground_page")
DATA = (("syntax", ".lark"), ("syntax", ".json"), ("library", ".lf"))  # files that are no modules, by room
OF_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
STAMP = (2020, 1, 1, 0, 0, 0)


def sources() -> Iterator[tuple[str, Path]]:
    """Name in the archive, and file."""
    yield "answers.py", PAGE / "answers.py"
    for name in sorted(modules_of(PAGE / "answers.py")):
        file = file_of(name)
        assert file is not None
        yield f"{name.replace('.', '/')}{'/__init__' if file.stem == '__init__' else ''}.py", file
    for room, kind in DATA:
        folder = ROOT / "lfc" / room
        for file in sorted(folder.rglob(f"*{kind}")):
            yield f"lfc/{room}/{file.relative_to(folder).as_posix()}", file


def modules_of(file: Path) -> set[str]:
    """Our modules that it imports, at once or later, itself or by others."""
    found: set[str] = set()
    rest = [*imports(file)]
    while rest:
        parts = rest.pop().split(".")
        for end in range(1, len(parts) + 1):
            name = ".".join(parts[:end])
            here = None if name in found else file_of(name)
            if here is not None:
                found.add(name)
                rest += imports(here)
    return found


def imports(file: Path) -> Iterator[str]:
    """Names that may be modules. (No file here imports relatively.)"""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def file_of(name: str) -> Path | None:
    """None: it is no module of ours."""
    first, *rest = name.split(".")
    if first not in ("lfc", "tests"):
        return None
    here = ROOT.joinpath(first, *rest)
    return next((f for f in (here.with_suffix(".py"), here / "__init__.py") if f.is_file()), None)


def archive(to: Path) -> None:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as made:
        for name, file in sources():
            made.writestr(zipfile.ZipInfo(name, STAMP), file.read_bytes(), zipfile.ZIP_DEFLATED)


def examples() -> dict[str, str]:
    """All programs of one file: those for beginners, for everyday devices, and the rest by folder."""
    folder = ROOT / "examples"
    near = [*sorted(folder.glob("*.lf")), *sorted((folder / "ordinary").glob("*.lf"))]
    far = [file for file in sorted(folder.rglob("*.lf")) if file not in near]
    names = [file.stem for file in near] + [file.relative_to(folder).with_suffix("").as_posix() for file in far]
    texts = [file.read_text(encoding="utf-8") for file in (*near, *far)]
    return {name: text for name, text in zip(names, texts, strict=True) if opens(text)}


def opens(text: str) -> bool:
    """Not so: environments, and programs with other modules beside them."""
    diagnostics = Diagnostics()
    analyse(Source("Program.lf", text), diagnostics)
    return not diagnostics.has_errors and "ENVIRONMENT MODULE" not in text


def make(folder: Path, pyodide: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    archive(folder / "lf.zip")
    (folder / "examples.json").write_text(json.dumps(examples()), encoding="utf-8")
    for name in ("index.html", "page.js", "worker.js", "page.css"):
        shutil.copyfile(PAGE / name, folder / name)
    for name in OF_PYODIDE:
        shutil.copyfile(pyodide / name, folder / name)
    subprocess.run(["node", str(PAGE / "compile.mjs"), str(pyodide.absolute()), str(folder.absolute())], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pyodide", type=Path, required=True, help="the folder of the npm package")
    parser.add_argument("--serve", type=int, metavar="PORT", help="then serve it on this machine")
    options = parser.parse_args()
    make(options.folder, options.pyodide)
    if options.serve is not None:
        handler = partial(SimpleHTTPRequestHandler, directory=str(options.folder))
        ThreadingHTTPServer(("127.0.0.1", options.serve), handler).serve_forever()


if __name__ == "__main__":
    main()

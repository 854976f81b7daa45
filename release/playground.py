"""Makes the playground: a folder of files for any web server, which needs nothing else and is told nothing.

    python -m release.playground FOLDER --pyodide DIR [--serve PORT]

`--pyodide`: the npm package `pyodide` (`npm install pyodide@314`), whose files are copied. Python, the front end, the
formatter and the explorer of the tests run in the reader's browser.
"""

from __future__ import annotations

import argparse
import json
import shutil
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path(__file__).with_name("playground_page")
ROOMS = (
    "base",
    "diagnostics",
    "syntax",
    "semantics",
    "front_end",
    "boards/descriptions",
    "library",
    "actions",
    "trace",
)
KINDS = {".py", ".lark", ".json", ".lf", ".md", ".toml", ".txt"}
OF_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
STAMP = (2020, 1, 1, 0, 0, 0)


def sources() -> Iterator[tuple[str, Path]]:
    """Name in the archive, and file."""
    yield "lfc/__init__.py", ROOT / "lfc" / "__init__.py"
    yield "lfc/boards/__init__.py", ROOT / "boards" / "__init__.py"
    for room in ROOMS:
        folder = ROOT / "lfc" / room
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix in KINDS:
                yield f"lfc/{room}/{file.relative_to(folder).as_posix()}", file
    yield "tests/__init__.py", ROOT / "tests" / "__init__.py"
    for file in sorted((ROOT / "tests" / "naive").glob("*.py")):
        if not file.name.startswith("test_"):
            yield f"tests/naive/{file.name}", file
    yield "answers.py", PAGE / "answers.py"


def archive(to: Path) -> None:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as made:
        for name, file in sources():
            made.writestr(zipfile.ZipInfo(name, STAMP), file.read_bytes(), zipfile.ZIP_DEFLATED)


def examples() -> dict[str, str]:
    """Of one file."""
    found = [*sorted((ROOT / "examples").glob("*.lf")), *sorted((ROOT / "examples" / "ordinary").glob("*.lf"))]
    texts = {file.stem: file.read_text(encoding="utf-8") for file in found}
    return {name: text for name, text in texts.items() if "ENVIRONMENT MODULE" not in text}


def make(folder: Path, pyodide: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    archive(folder / "lf.zip")
    (folder / "examples.json").write_text(json.dumps(examples()), encoding="utf-8")
    for name in ("index.html", "page.js", "worker.js", "page.css"):
        shutil.copyfile(PAGE / name, folder / name)
    for name in OF_PYODIDE:
        shutil.copyfile(pyodide / name, folder / name)


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

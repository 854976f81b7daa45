"""Archives with compiled files, made by the Python that will read them. Runs in Pyodide, started by compile.mjs.

Of the standard library those modules are compiled that answers load; the others stay text, so that none is missing.
"""

import json
import py_compile
import shutil
import sys
import zipfile
from collections.abc import Collection

STAMP = (2020, 1, 1, 0, 0, 0)
OURS, STANDARD = "/tmp/lf.zip", "/tmp/python_stdlib.zip"
NEVER_STALE = py_compile.PycInvalidationMode.UNCHECKED_HASH
WITH_DOCSTRINGS = ("_pyodide/", "pyodide/")  # Pyodide reads its own when it starts


def loaded() -> set[str]:
    """Files of modules that are there once every example has been looked at and laid out, and one checked."""
    shutil.unpack_archive(OURS, "/lf", "zip")
    sys.path.insert(0, "/lf")
    from answers import answer

    with open("/tmp/examples.json", encoding="utf-8") as file:
        examples = json.load(file)
    for text in examples.values():
        for job in ("diagnose", "format"):
            answer(job, text)
            answer(job, text.replace(";", "", 1))
    answer("check", examples["prodcons"])
    files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    return {file.partition(".zip/")[2] for file in files if ".zip/" in file}


def compiled(name: str, content: bytes, optimize: int) -> bytes:
    with open("/tmp/module.py", "wb") as file:
        file.write(content)
    py_compile.compile("/tmp/module.py", "/tmp/module.pyc", name, True, optimize, NEVER_STALE)
    with open("/tmp/module.pyc", "rb") as file:
        return file.read()


def pack(archive: str, wanted: Collection[str] | None, optimize: int) -> None:
    """The same archive, with these of its files compiled (None: all)."""
    made = archive.replace("/tmp/", "/tmp/compiled_")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            content, called = old.read(name), name
            if name.endswith(".py") and (wanted is None or name in wanted):
                content = compiled(name, content, 0 if name.startswith(WITH_DOCSTRINGS) else optimize)
                called = f"{name}c"
            new.writestr(zipfile.ZipInfo(called, STAMP), content, zipfile.ZIP_DEFLATED, 9)


pack(STANDARD, loaded(), 2)
pack(OURS, None, 0)

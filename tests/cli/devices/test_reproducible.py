"""The same program gives the same bytes, wherever it lies and whatever is in the cache."""

from __future__ import annotations

from pathlib import Path

from tests.cli.lfc import lfc

COUNTER = """MODULE Counter;
IMPORT Out;
VAR n, i : INTEGER;
PROCESS Double(VAR n : INTEGER) EXTERNAL;
BEGIN
  FOR i := 1 TO 3 DO n := i; Double(n); ASSERT(n >= 0); Out.Int(n); Out.Ln END
END Counter.
"""
DOUBLE = """#include "Counter.h"
void Counter_Double(int32_t *n) { *n = (int32_t)(*n * 2); }
"""


def built(folder: Path, cache: Path) -> dict[str, bytes]:
    folder.mkdir(parents=True)
    (folder / "Counter.lf").write_text(COUNTER)
    (folder / "double.c").write_text(DOUBLE)
    command = ("build", "Counter.lf", "--with", "double.c", "-b", "uno", "--sbom", "sbom.json")
    done = lfc(*command, cwd=folder, XDG_CACHE_HOME=str(cache))
    assert done.exit == 0, done.err
    made = {f.name: f.read_bytes() for f in folder.iterdir() if f.suffix not in (".lf", ".c")}
    assert {".elf", ".hex", ".map", ".json"} == {Path(name).suffix for name in made}
    return made


def test_two_folders_and_two_caches(tmp_path: Path) -> None:
    """Lines for debuggers are in the ELF file; folders are not."""
    one = built(tmp_path / "one", tmp_path / "cache")
    other = built(tmp_path / "another" / "folder", tmp_path / "empty")
    assert {name: one[name] == other[name] for name in one} == dict.fromkeys(one, True)
    assert b"Counter.lf" in one["Counter.elf"]
    for name, content in one.items():
        assert str(tmp_path).encode() not in content, name

"""The rooms of the source tree: which there are, what each is for, who imports whom.

    python -m tests.project.rooms

prints the map that CONTRIBUTING.md has. A room is a folder. Its docstring says its duty; modules that other rooms
import are its way in, and everything else is its own affair.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

# From the ground up: a room imports only rooms that stand before it.
LAYERS = """
lfc/base lfc/doctor lfc/diagnostics
lfc/syntax/grammar lfc/syntax/recovery lfc/syntax lfc/syntax/format
lfc/semantics/model lfc/semantics/names lfc/semantics/expressions lfc/semantics/statements lfc/semantics
lfc/semantics/checks
boards/descriptions lfc/front_end lfc/systems
lfc/actions/model lfc/actions/flow lfc/actions/layout lfc/actions/analysis lfc/actions
lfc/trace
lfc/codegen/module lfc/codegen/instrument lfc/codegen/expressions lfc/codegen/bodies lfc/codegen
lfc/toolchain lfc/isa lfc/isa/avr lfc/isa/thumb lfc/isa/riscv
lfc/external lfc/link lfc/image lfc/run
boards/serial boards/flash boards/emulators/chips boards/emulators boards
mcheck/engine mcheck/ltl mcheck/request mcheck/model
mcheck/search/strategies mcheck/search/modular mcheck/search/distributed mcheck/search
mcheck/reduction/common mcheck/reduction/por mcheck/reduction/dead_variables mcheck/reduction/symmetry
mcheck/result mcheck/statistics mcheck/counterexample mcheck/properties mcheck/reduction/slicing mcheck/reduction
mcheck/symbolic/values mcheck/symbolic/execution mcheck/symbolic mcheck/symbolic/induction
mcheck/symbolic/properties
mcheck/image mcheck/response mcheck/refinement mcheck/queries mcheck/explore mcheck/report mcheck mcheck/obligations
mcheck/exports
lfc/packages lfc/hil lfc/hil/systems lfc/online lfc/lint lfc/certificates lfc/certificates/invariants lfc/observe
lfc/records lfc/update lfc/sweep lfc/view lfc/view/live
lfc/cli/common lfc/editor/analysis lfc/editor/features lfc/editor/verification lfc/editor/server lfc/editor
lfc/debugger lfc/debugger/screen
lfc/assistant lfc/testing lfc/cli/programs lfc/cli/checking lfc/cli/results lfc/cli/systems lfc/cli/devices lfc/cli lfc
""".split()
PACKAGES = {"lfc": "lfc", "mcheck": "lfc.mcheck", "boards": "lfc.boards", "runtime": "lfc.runtime"}


@dataclass(slots=True)
class Room:
    path: str
    duty: str
    modules: list[str] = field(default_factory=list)
    ways_in: set[str] = field(default_factory=set)  # modules that other rooms import
    imports: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # room -> who imports what of it


@cache
def rooms() -> dict[str, Room]:
    files = {module_name(f): f for f in sources()}
    found: dict[str, Room] = {}
    for file in files.values():
        path = room_path(file)
        room = found.setdefault(path, Room(path, duty_of(ROOT / path / "__init__.py")))
        if file.name != "__init__.py":
            room.modules.append(file.stem)
    for name, file in files.items():
        here = found[room_path(file)]
        for imported in imports_of(file, files):
            there = found[room_path(files[imported])]
            if there is not here and imported != name:
                there.ways_in.add(files[imported].stem)
                here.imports[there.path].add(f"{name} -> {imported}")
    return found


def sources() -> Iterator[Path]:
    for top in PACKAGES:
        for file in sorted((ROOT / top).rglob("*.py")):
            if not any((ROOT / "lfc" / link) in file.parents for link in ("mcheck", "boards", "runtime")):
                yield file


def room_path(file: Path) -> str:
    return file.parent.relative_to(ROOT).as_posix()


def module_name(file: Path) -> str:
    top, *rest = file.relative_to(ROOT).with_suffix("").parts
    parts = [PACKAGES[top], *rest]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def duty_of(file: Path) -> str:
    text = ast.get_docstring(ast.parse(file.read_text())) if file.exists() else None
    return " ".join((text or "").split("\n\n")[0].split())


def imports_of(file: Path, files: dict[str, Path]) -> set[str]:
    """Modules of ours that it imports when it runs, within functions too; not those that only its types name."""
    tree = ast.parse(file.read_text())
    only_types = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test)
        for node in ast.walk(block)
    }
    found = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{a.name}" for a in node.names]
        for name in names if id(node) not in only_types else ():
            while name and name not in files:
                name = name.rpartition(".")[0]
            if name:
                found.add(name)
    return found


def drawn_map() -> str:
    lines = ["| room | its duty | its way in |", "| --- | --- | --- |"]
    by_path = rooms()
    for path in LAYERS:
        room = by_path[path]
        ways = ", ".join(f"`{w}`" for w in sorted(room.ways_in - {"__init__"})) or "-"
        lines.append(f"| `{path}/` | {room.duty} | {ways} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(drawn_map())

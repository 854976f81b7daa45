"""What the image of a board consists of, as a bill of materials that others read: CycloneDX 1.6.

    https://cyclonedx.org/docs/1.6/json/

The same build gives the same bytes: no time is in it, and its serial number follows from the image.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lfc.base.library_folder import LIBRARY
from lfc.base.source import Source
from lfc.link.port import runtime_folder

LICENCE = "Apache-2.0 WITH LLVM-exception"
SERIAL = uuid.UUID("6f1d6f0e-57a9-5d5c-9a86-2f4f4f5a1c11")  # the name space of serial numbers
TAG = re.compile(r"SPDX-License-Identifier:[ \t]*([A-Za-z0-9.+() -]*[A-Za-z0-9.+)])")
HEAD = 4096  # characters in which the licence of a source stands
LINKED = re.compile(r"\s(\w+)\.o:\(")  # an object in the linker's map
FIRMWARE = "firmware"


@dataclass(frozen=True, slots=True)
class Linked:
    """What is known of an image. `files`: what was written of it; `sources`: the modules of its program; `c_files`:
    what is linked in; `toolchain`: names of tools and their versions."""

    name: str
    image: str
    board: str
    board_digest: str
    architecture: str
    traced: bool
    map: str
    files: Mapping[str, bytes]
    sources: Sequence[Source]
    c_files: Sequence[str]
    toolchain: Mapping[str, str]


def bill_of_materials(linked: Linked) -> dict[str, Any]:
    parts = [*modules_of(linked), *c_of(linked), *runtime_of(linked)]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(SERIAL, linked.image)}",
        "version": 1,
        "metadata": {
            "tools": {"components": [tool(name, v) for name, v in sorted(linked.toolchain.items())]},
            "component": {
                "type": "firmware",
                "bom-ref": FIRMWARE,
                "name": linked.name,
                "components": [file(f"output:{name}", name, content) for name, content in sorted(linked.files.items())],
                "properties": [
                    {"name": "lf:board", "value": linked.board},
                    {"name": "lf:board-sha256", "value": linked.board_digest},
                    {"name": "lf:flash-sha256", "value": linked.image},
                    {"name": "lf:traced", "value": str(linked.traced).lower()},
                ],
            },
        },
        "components": parts,
        "dependencies": [
            {"ref": FIRMWARE, "dependsOn": [p["bom-ref"] for p in parts]},
            *({"ref": p["bom-ref"]} for p in parts),
        ],
    }


def modules_of(linked: Linked) -> list[dict[str, Any]]:
    """The program's modules, and those of the library."""
    found = []
    for source in linked.sources:
        name, content = Path(source.path).name, source.text.encode()
        if LIBRARY in Path(source.path).resolve().parents:
            found.append(ours("library", f"library:{name}", name, linked, {name: content}))
        else:
            found.append(licensed(file(f"module:{name}", name, content), source.text))
    return sorted(found, key=lambda part: str(part["bom-ref"]))


def c_of(linked: Linked) -> list[dict[str, Any]]:
    found = []
    for number, path in enumerate(linked.c_files):
        content = Path(path).read_bytes()
        part = file(f"c:{number}", Path(path).name, content)
        found.append(licensed(part, content.decode("utf-8", "replace")))
    return found


def runtime_of(linked: Linked) -> list[dict[str, Any]]:
    """Kernel, policies of boards, and of the port what the linker has taken."""
    root = runtime_folder()
    port = root / "ports" / linked.architecture
    objects = {"start", *LINKED.findall(linked.map)}
    parts = {
        "kernel": [*root.glob("kernel/*"), root / "port.h"],
        "policies": [p for p in root.glob("policies/*") if linked.traced or p.name != "traced.c"],
        f"port-{linked.architecture}": [
            *port.glob("*.c"),
            *(p for p in port.rglob("*.S") if p.stem in objects),
            *port.rglob("*.h"),
            *port.parent.glob("*.h"),
        ],
    }
    return [
        ours("framework", f"runtime:{name}", f"lf-{name}", linked, contents(root, files))
        for name, files in parts.items()
    ]


def contents(root: Path, files: Iterable[Path]) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in files if p.suffix in (".c", ".h", ".S")}


def ours(kind: str, ref: str, name: str, linked: Linked, files: Mapping[str, bytes]) -> dict[str, Any]:
    """A part of this toolchain."""
    return {
        "type": kind,
        "bom-ref": ref,
        "name": name,
        "version": linked.toolchain["lfc"],
        "licenses": [{"expression": LICENCE}],
        "components": [file(f"{ref}/{path}", path, content) for path, content in sorted(files.items())],
    }


def file(ref: str, name: str, content: bytes) -> dict[str, Any]:
    digest = hashlib.sha256(content).hexdigest()
    return {"type": "file", "bom-ref": ref, "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}


def licensed(part: dict[str, Any], text: str) -> dict[str, Any]:
    """With the licence that a source names at its head; one that names none has none here."""
    named = TAG.search(text[:HEAD])
    return part if named is None else part | {"licenses": [{"expression": named[1].strip()}]}


def tool(name: str, version: str) -> dict[str, Any]:
    return {"type": "application", "name": name, "version": version}

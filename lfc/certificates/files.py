"""Certificates as files: JSON, with the hash of their own content."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lfc.base.read_file import TRACE, json_of, read_file


class BadCertificate(ValueError):
    """Says what is wrong."""


@dataclass(slots=True)
class Certificate:
    """`states`: blocks in hexadecimal; `entries`: (number of the block, state of the automaton, rank); `missing`: for
    each rank the mark that no edge inside it carries, -1 if no edge stays inside. No edge leads to a higher rank."""

    program: str
    property: str
    fair: list[int]
    states: list[str] = field(default_factory=list)
    entries: list[tuple[int, int, int]] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)

    def content(self) -> dict[str, Any]:
        return {
            "format": "lf-certificate",
            "version": 1,
            "program": self.program,
            "property": self.property,
            "fair": self.fair,
            "states": self.states,
            "entries": [list(e) for e in self.entries],
            "missing": self.missing,
        }

    def write(self, path: Path) -> None:
        content = self.content()
        path.write_text(json.dumps({**content, "hash": digest(content)}, indent=0) + "\n", encoding="utf-8")


def digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def document_of(path: Path) -> dict[str, Any]:
    """Of any kind of certificate. Raises BadCertificate, OSError."""
    try:
        document = json_of(read_file(path, TRACE))
    except ValueError as error:
        raise BadCertificate(f"it is not JSON ({error})") from None
    if not isinstance(document, dict):
        raise BadCertificate('it is not an object with "format": "lf-certificate"')
    return document


def unsealed(document: dict[str, Any]) -> dict[str, Any]:
    """Without its hash, which has to be right. Raises BadCertificate."""
    if document.get("version") != 1:
        raise BadCertificate(f"version {document.get('version')!r} of the format is not supported")
    content = {name: v for name, v in document.items() if name != "hash"}
    if document.get("hash") != digest(content):
        raise BadCertificate("its content does not match its hash")
    return content


def read_certificate(path: Path) -> Certificate:
    """Of a formula. Raises BadCertificate, OSError."""
    return certificate_from(document_of(path))


def certificate_from(document: dict[str, Any]) -> Certificate:
    """Raises BadCertificate."""
    if document.get("format") != "lf-certificate":
        raise BadCertificate('it is not an object with "format": "lf-certificate"')
    return from_document(unsealed(document))


def from_document(d: dict[str, Any]) -> Certificate:
    numbers = [d.get("fair"), d.get("missing")]
    if not all(isinstance(x, list) and all(type(n) is int for n in x) for x in numbers):
        raise BadCertificate('"fair" or "missing" is not a list of numbers')
    states, entries = d.get("states"), d.get("entries")
    if not isinstance(states, list) or not all(isinstance(s, str) for s in states):
        raise BadCertificate('"states" is not a list of texts')
    if not isinstance(entries, list) or not all(
        isinstance(e, list) and len(e) == 3 and all(type(n) is int for n in e) for e in entries
    ):
        raise BadCertificate('"entries" is not a list of triples of numbers')
    if not isinstance(d.get("program"), str) or not isinstance(d.get("property"), str):
        raise BadCertificate('"program" or "property" is not a string')
    triples = [(e[0], e[1], e[2]) for e in entries]
    return Certificate(d["program"], d["property"], d["fair"], states, triples, d["missing"])

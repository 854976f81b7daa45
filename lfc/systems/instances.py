"""The modules of a board as its own instance: the same texts, with names that no other board has.

What has no variables and no ports in it or in what it imports, such as types and constants, is one module for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lfc.base.lazy_dataclass import dataclass
from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.reading import read_source
from lfc.semantics.modules import HOST, ChipModules, Finder
from lfc.semantics.names.universe import PSEUDO_MODULES
from lfc.syntax.grammar import tree

STATE = ("VAR", "PORT", "ASSUME")


@dataclass(slots=True)
class Read:
    """A module as its file has it."""

    source: Source
    node: tree.Module
    own: bool  # it, or something that it imports, has state


@dataclass(slots=True)
class Instance:
    main: str  # the name of the module as its file has it
    modules: dict[str, Source]  # by the names that they have in the composition
    imported: set[str]  # all that it imports, directly or not, by the names of the files


def instance_of(
    name: str, file: str, diagnostics: Diagnostics, path: Sequence[str | Path], chip: ChipModules = HOST
) -> Instance | None:
    """Of the program in a file, whose main module gets this name. None after errors."""
    main = read_source(file, diagnostics)
    if main is None:
        return None
    reading = Reading(Finder(diagnostics, [Path(p) for p in path], chip=chip))
    read = reading.module(main)
    if not reading.complete:
        return None
    inner = read.node.name.text
    names = {inner: name} | {n: f"{name}_{n}" for n, m in reading.found.items() if m.own}
    modules = {names[n]: renamed(m, names) for n, m in reading.found.items() if m.own}
    modules[name] = renamed(read, names)
    return Instance(inner, modules, set(reading.found))


class Reading:
    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.found: dict[str, Read] = {}
        self.under_way: list[str] = []
        self.complete = True

    def module(self, source: Source) -> Read:
        parsed = self.finder.parse(source)
        self.complete &= parsed.complete
        own = any(isinstance(d, tree.Section) and d.keyword in STATE for d in parsed.module.declarations)
        for node in parsed.module.imports:
            imported = self.imported(node.module.text, source)
            own |= imported is not None and imported.own
        return Read(source, parsed.module, own)

    def imported(self, name: str, importer: Source) -> Read | None:
        """What cannot be found, and circles, are reported when the program is typed."""
        if name in PSEUDO_MODULES or name in self.under_way:
            return None
        if name not in self.found:
            source = self.finder.find(name, importer)
            if source is None:
                return None
            self.under_way.append(name)
            self.found[name] = self.module(source)
            self.under_way.pop()
        return self.found[name]


def renamed(read: Read, names: dict[str, str]) -> Source:
    text, end = "", 0
    for span, new in sorted(changes(read.node, names), key=lambda c: c[0].start):
        text += read.source.text[end : span.start] + new
        end = span.end
    return Source(read.source.path, text + read.source.text[end:])


def changes(node: tree.Module, names: dict[str, str]) -> Iterator[tuple[Span, str]]:
    own = names.get(node.name.text, node.name.text)
    yield node.name.span, own
    if node.closing is not None and node.closing.text == node.name.text:
        yield node.closing.span, own
    for each in node.imports:
        new = names.get(each.module.text)
        if new is not None:
            yield each.module.span, f"{each.module.text} := {new}" if each.alias is each.module else new
    for p in (d for d in node.declarations if isinstance(d, tree.PropertyDecl)):
        for name in [p.name] if p.closing is None or p.closing.text != p.name.text else [p.name, p.closing]:
            yield name.span, f"{own}_{name.text}"

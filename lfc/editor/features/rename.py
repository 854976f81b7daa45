"""Renaming, with a second opinion: the edited texts are analysed, and every name must stand for what it stood for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp

from lfc.base.library_folder import LIBRARY
from lfc.base.source import Source, Span
from lfc.editor.analysis.addresses import uri_of
from lfc.editor.analysis.analyse import Analysis, analyse_source
from lfc.editor.analysis.names import Declared, Named, declared_at, name_of, span_of
from lfc.editor.analysis.positions import Lines
from lfc.editor.features.navigation import uses_of
from lfc.semantics.model import typed
from lfc.semantics.names.occurrences import Entity
from lfc.syntax.grammar.terminals import KEYWORDS

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

Edited = Callable[[int], int]  # offset in the old text -> offset in the new one


class Refused(Exception):
    """Says why, in a sentence for the user."""


@dataclass(slots=True)
class Renaming:
    """What is edited: by path, spans in the order of the text."""

    named: Named
    uses: dict[str, list[Span]]


def refuse_unrenamable(analysis: Analysis, named: Named | None) -> Named:
    if named is None:
        raise Refused("There is no name here.")
    entity = named.entity
    if not analysis.is_complete:
        raise Refused("First mend the errors of syntax: until then not every use of the name is known.")
    span = span_of(entity)
    if span is None:
        raise Refused(f"`{name_of(entity)}` is predeclared.")
    if isinstance(entity, typed.Module):
        raise Refused("The name of a module is that of its file: rename the file, then its imports.")
    if isinstance(entity, typed.ImportedName) and (entity.module is None or entity.module.name == entity.alias):
        raise Refused(
            f"`{entity.alias}` is the module's own name; write `Other := {entity.alias}` in the import first."
        )
    if span.source.path.startswith(str(LIBRARY)):
        raise Refused(f"`{name_of(entity)}` belongs to the library.")
    return named


def refuse_bad_name(entity: Entity, new: str) -> None:
    if not NAME.fullmatch(new):
        raise Refused(f"`{new}` is no name: a letter or underscore, then letters, digits, underscores.")
    if new in KEYWORDS:
        raise Refused(f"`{new}` is a keyword.")


def edited_text(text: str, spans: Sequence[Span], new: str) -> str:
    parts, end = [], 0
    for span in spans:
        parts += [text[end : span.start], new]
        end = span.end
    return "".join([*parts, text[end:]])


def moved(spans: Sequence[Span], new: str) -> Edited:
    def move(offset: int) -> int:
        return offset + sum(len(new) - (s.end - s.start) for s in spans if s.end <= offset)

    return move


def refuse_changed_meaning(
    renaming: Renaming, new: str, analyses: Mapping[str, Analysis], others: Sequence[Source]
) -> None:
    """`analyses`: of every file that is edited, and of every file that imports one of them."""
    texts = {
        path: Source(path, edited_text(a.source.text, renaming.uses.get(path, []), new)) for path, a in analyses.items()
    }
    moves = {path: moved(renaming.uses.get(path, []), new) for path in analyses}
    rest = [s for s in others if s.path not in texts]
    for path, before in analyses.items():
        instead = [*(s for p, s in texts.items() if p != path), *rest]
        after = analyse_source(texts[path], instead, before.setting)
        if meanings(after, {}) != meanings(before, moves):
            old = name_of(renaming.named.entity)
            raise Refused(f"`{new}` already stands for something else where `{old}` is used: {wrong_in(before, after)}")


def meanings(analysis: Analysis, moves: Mapping[str, Edited]) -> list[tuple[int, str, int]]:
    """Of every name: where it stands, and where what it stands for is declared."""
    found = []
    here = moves.get(analysis.source.path, same)
    for named in analysis.names.all:
        place = declared_at(named.entity) or Declared(name_of(named.entity), -1)
        there = moves.get(place.path, same)
        found.append((here(named.span.start), place.path, place.start if place.start < 0 else there(place.start)))
    return found


def same(offset: int) -> int:
    return offset


def wrong_in(before: Analysis, after: Analysis) -> str:
    known = [(d.code, d.message) for d in before.diagnostics.items]
    new = next((d for d in after.diagnostics.items if (d.code, d.message) not in known), None)
    return (
        f"{new.span.source.path}:{new.span.line}: {new.message}" if new is not None else "another name would be meant"
    )


# --- the whole -------------------------------------------------------------------------------------------------------


def prepare(analysis: Analysis, position: lsp.Position) -> lsp.Range:
    named = refuse_unrenamable(analysis, analysis.names.at(analysis.lines.offset(position)))
    return analysis.lines.range(named.span.start, named.span.end)


def rename(
    analysis: Analysis,
    position: lsp.Position,
    new: str,
    analyses: Callable[[str], Iterable[Analysis]],
    others: Sequence[Source],
) -> dict[str, list[Span]]:
    """What is to be replaced by the new name: by path, in the order of the text. `analyses`: of files with a name."""
    named = refuse_unrenamable(analysis, analysis.names.at(analysis.lines.offset(position)))
    old = name_of(named.entity)
    refuse_bad_name(named.entity, new)
    if new == old:
        return {}
    around = {a.source.path: a for a in analyses(old)}
    uses = uses_of(named, around.values())
    for path in uses:
        if not around[path].is_complete:
            raise Refused(f"First mend the errors of syntax in {path}, where `{old}` is used.")
    refuse_changed_meaning(Renaming(named, uses), new, around, others)
    return uses


def edit_of(uses: Mapping[str, Sequence[Span]], new: str) -> lsp.WorkspaceEdit:
    changes = {}
    for path, spans in uses.items():
        lines = Lines(spans[0].source.text)
        changes[uri_of(path)] = [lsp.TextEdit(lines.range(s.start, s.end), new) for s in spans]
    return lsp.WorkspaceEdit(changes=changes)

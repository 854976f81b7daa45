"""Every name of a text with what it stands for, and the scopes: gathered while a program is analysed, for editors."""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.base.source import Source, Span
from lfc.semantics.model import typed
from lfc.semantics.model.types import Message, RecordField
from lfc.semantics.names.scope import Misnamed, Predeclared, PseudoModule, Scope
from lfc.syntax.grammar import tree

Entity = (
    typed.Variable
    | typed.NamedConstant
    | typed.NamedType
    | typed.Process
    | typed.Property
    | typed.ImportedName
    | typed.Module
    | Message
    | RecordField
    | Predeclared
    | PseudoModule
)


@dataclass(slots=True)
class OccurrencePlace:
    """The inside of a process or property: names that are declared in it can be used there."""

    span: Span
    scope: Scope
    process: typed.Process


@dataclass(slots=True)
class Text:
    """One module of the program, as far as it was understood."""

    module: typed.Module
    tree: tree.Module
    scope: Scope


@dataclass(slots=True)
class Occurrences:
    """A name that is both (a variable of a module, and the parameter that stands for it) is what was noted first."""

    names: dict[tuple[int, int], tuple[Span, Entity]] = field(default_factory=dict)  # by id of the source, and start
    places: list[OccurrencePlace] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)  # in the order in which they are loaded, imports first

    def note(self, span: Span, entity: object) -> None:
        if not isinstance(entity, Misnamed):
            self.names.setdefault((id(span.source), span.start), (span, entity))  # type: ignore[arg-type]

    def note_place(self, span: Span, scope: Scope, process: typed.Process) -> None:
        self.places.append(OccurrencePlace(span, scope, process))

    def note_closing(self, name: tree.Name | None, of: typed.Process | typed.Module) -> None:
        """The name after END, if it is the right one."""
        if name is not None and name.text == of.name:
            self.note(name.span, of)

    def of(self, source: Source) -> Text | None:
        return next((t for t in self.texts if t.module.source is source), None)

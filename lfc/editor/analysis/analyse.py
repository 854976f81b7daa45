"""The analysis of one buffer: tree, types, names and diagnostics, whatever its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.editor.analysis.names import Names
from lfc.editor.analysis.positions import Lines
from lfc.editor.analysis.project import Setting
from lfc.front_end.load import check_source
from lfc.semantics.model import typed
from lfc.semantics.names.occurrences import OccurrencePlace, Occurrences, Text
from lfc.syntax.grammar.lexer import Tokens, cut_into_tokens


@dataclass(slots=True)
class Analysis:
    source: Source
    lines: Lines
    diagnostics: Diagnostics
    occurrences: Occurrences
    program: typed.Program | None  # None: there are errors of syntax
    setting: Setting
    found: dict[str, object] = field(default_factory=dict)  # what is made when it is asked for

    @property
    def text(self) -> Text | None:
        """None: there is nothing in it."""
        return self.occurrences.of(self.source)

    @property
    def names(self) -> Names:
        names = self.found.get("names")
        if not isinstance(names, Names):
            names = self.found["names"] = Names.of(self.source, self.occurrences)
        return names

    @property
    def tokens(self) -> Tokens:
        tokens = self.found.get("tokens")
        if not isinstance(tokens, Tokens):
            tokens = self.found["tokens"] = cut_into_tokens(self.source, Diagnostics())
        return tokens

    @property
    def is_complete(self) -> bool:
        """Its syntax is right: names can be trusted."""
        return self.program is not None

    def place_at(self, offset: int) -> OccurrencePlace | None:
        """The innermost process or property around."""
        around = [
            p for p in self.occurrences.places if p.span.source is self.source and p.span.start <= offset <= p.span.end
        ]
        return min(around, key=lambda p: p.span.end - p.span.start, default=None)


def analyse_source(source: Source, others: Sequence[Source], setting: Setting) -> Analysis:
    """`others`: texts that go before the files of their paths."""
    diagnostics, occurrences = Diagnostics(), Occurrences()
    program = None
    if source.text.strip():
        program = check_source(
            source, diagnostics, path=setting.modules, chip=setting.chip, instead=others, occurrences=occurrences
        )
    return Analysis(source, Lines(source.text), diagnostics, occurrences, program, setting)


def look_for_room(analysis: Analysis) -> None:
    """Whether the program has room in the state block: it takes as long as all the rest, so it is asked for apart."""
    from lfc.actions.build import build_machine

    program = analysis.program
    if program is None or program.main.monitor:
        return
    if not analysis.diagnostics.has_errors and "room" not in analysis.found:
        analysis.found["room"] = True
        build_machine(program, analysis.diagnostics)

"""DWARF line tables as LLVM metadata: files, subprograms, locations.

No path of this machine gets in: files are named relative to the folder of the main module, as a debugger finds them
that is started there.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.base.library_folder import LIBRARY

if TYPE_CHECKING:
    from lfc.base.source import Source, Span

FIRST = 10  # number of the first node


@dataclass(slots=True)
class LineTable:
    main: Source
    nodes: list[str] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)  # node -> its number
    unit: int = 0
    kind: int = 0  # of every subprogram: takes and returns nothing

    def __post_init__(self) -> None:
        file = self.file(self.main)
        self.unit = self._add(
            f'distinct !DICompileUnit(language: DW_LANG_Modula2, file: !{file}, producer: "lfc", isOptimized: true, '
            "runtimeVersion: 0, emissionKind: FullDebug, nameTableKind: None)"
        )
        self.kind = self._node(f"!DISubroutineType(types: !{self._node('!{null}')})")

    def subprogram(self, name: str, span: Span) -> int:
        file = self.file(span.source)
        return self._add(
            f'distinct !DISubprogram(name: "{name}", scope: !{file}, file: !{file}, line: {span.line}, '
            f"type: !{self.kind}, scopeLine: {span.line}, spFlags: DISPFlagDefinition | DISPFlagOptimized, "
            f"unit: !{self.unit})"
        )

    def location(self, subprogram: int, home: Source, span: Span) -> int:
        """In the subprogram, whose text lies in `home`."""
        scope = subprogram
        if span.source is not home:
            file = self.file(span.source)
            scope = self._node(f"!DILexicalBlockFile(scope: !{subprogram}, file: !{file}, discriminator: 0)")
        return self._node(f"!DILocation(line: {span.line}, column: {min(span.column, 65535)}, scope: !{scope})")

    def nowhere(self, subprogram: int) -> int:
        return self._node(f"!DILocation(line: 0, scope: !{subprogram})")

    def file(self, source: Source) -> int:
        name = file_name(self.main, source).replace("\\", "\\5C").replace('"', "\\22")
        return self._node(f'!DIFile(filename: "{name}", directory: ".")')

    def metadata(self) -> list[str]:
        flags = ('!{i32 2, !"Dwarf Version", i32 4}', '!{i32 2, !"Debug Info Version", i32 3}')
        numbers = [self._node(flag) for flag in flags]
        return [
            *(f"!{FIRST + i} = {node}" for i, node in enumerate(self.nodes)),
            f"!llvm.dbg.cu = !{{!{self.unit}}}",
            f"!llvm.module.flags = !{{{', '.join(f'!{n}' for n in numbers)}}}",
        ]

    def _node(self, text: str) -> int:
        number = self.known.get(text)
        if number is None:
            number = self.known[text] = self._add(text)
        return number

    def _add(self, text: str) -> int:
        self.nodes.append(text)
        return FIRST + len(self.nodes) - 1


def file_name(main: Source, source: Source) -> str:
    path = Path(os.path.abspath(source.path))
    if path.is_relative_to(LIBRARY):
        return f"lfc/library/{path.relative_to(LIBRARY).as_posix()}"
    try:
        return Path(os.path.relpath(path, Path(os.path.abspath(main.path)).parent)).as_posix()
    except ValueError:  # on another drive
        return path.name

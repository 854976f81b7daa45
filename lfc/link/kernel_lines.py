"""Gives the kernel's loop a place in the debug information.

The runtime is compiled without line tables, so that what is inlined from it counts to the LF statement that uses it.
But LLVM drops the lines of what it inlines into a function that has none itself: so the loop, into which everything is
inlined, gets a subprogram and calls from line 0.
"""

from __future__ import annotations

import re

LOOP = re.compile(r"^define [^\n]*@(?:lf_step|lf_main|lf_traced_\w+)\([^\n]*\{$.*?^\}$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"@(\w+)\(")
CALL = re.compile(r"^ +(?:%[\w.]+ = )?(?:tail |musttail |notail )?call [^\n]*$", re.MULTILINE)
FIRST = 1_000_000  # number of the first node: above all that the C compiler makes


def give_lines_to_loop(ir: str) -> str:
    """`ir`: of the board's policies, as the C compiler prints it."""
    nodes = [
        '!DIFile(filename: "runtime/policies/board.c", directory: ".")',
        f'distinct !DICompileUnit(language: DW_LANG_C11, file: !{FIRST}, producer: "lfc", isOptimized: true, '
        "runtimeVersion: 0, emissionKind: FullDebug, nameTableKind: None)",
        "!{null}",
        f"!DISubroutineType(types: !{FIRST + 2})",
        '!{i32 2, !"Dwarf Version", i32 4}',
        '!{i32 2, !"Debug Info Version", i32 3}',
    ]

    def in_loop(function: re.Match[str]) -> str:
        text = function[0]
        name = NAME.search(text)
        assert name is not None
        subprogram, location = FIRST + len(nodes), FIRST + len(nodes) + 1
        nodes.append(
            f'distinct !DISubprogram(name: "{name[1]}", scope: !{FIRST}, file: !{FIRST}, type: !{FIRST + 3}, '
            f"spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !{FIRST + 1})"
        )
        nodes.append(f"!DILocation(line: 0, scope: !{subprogram})")
        head, _, body = text.partition("\n")
        body = CALL.sub(lambda call: f"{call[0]}, !dbg !{location}", body)
        return f"{head[:-1]}!dbg !{subprogram} {{\n{body}"

    ir = LOOP.sub(in_loop, ir)
    numbered = "\n".join(f"!{FIRST + i} = {node}" for i, node in enumerate(nodes))
    named = f"!llvm.dbg.cu = !{{!{FIRST + 1}}}\n!llvm.module.flags = !{{!{FIRST + 4}, !{FIRST + 5}}}"
    return f"{ir}\n{numbered}\n{named}\n"

"""The names of temporaries and labels in the text of IR, without the numbers that codegen happens to draw.

Codegen numbers both with one counter for each function: one more instruction would change the text of all that follows.
Here a label is numbered among those of its name, a temporary within its block, so that a change is seen where it is.
No two names of a function become one.
"""

from __future__ import annotations

import re

FUNCTION = re.compile(r"^define .*?^}\n", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^([a-z]+)\.?(\d*):$")
DEFINED = re.compile(r"^  %([at])(\d+) = ")
USED = re.compile(r"%((?:[at]|b|[a-z]+\.)\d+)\b")


def with_normal_names(ir: str) -> str:
    return FUNCTION.sub(lambda function: normal_function(function[0]), ir)


def normal_function(text: str) -> str:
    names = normal_names(text)
    lines = (f"{names.get(line[:-1], line[:-1])}:" if BLOCK.match(line) else line for line in text.split("\n"))
    return USED.sub(lambda used: f"%{names.get(used[1], used[1])}", "\n".join(lines))


def normal_names(text: str) -> dict[str, str]:
    """The new name for each label and temporary that the function defines."""
    names: dict[str, str] = {}
    counts: dict[str, int] = {}

    def number(kind: str) -> int:
        counts[kind] = counts.get(kind, 0) + 1
        return counts[kind]

    block = ""
    for line in text.split("\n"):
        if label := BLOCK.match(line):
            old, name = line[:-1], label[1]
            block = names[old] = f"{name}.{number(name)}" if label[2] else name
        elif temporary := DEFINED.match(line):
            kind = temporary[1]
            names[kind + temporary[2]] = f"{block}.{kind}{number(f'{block} {kind}')}"
    return names

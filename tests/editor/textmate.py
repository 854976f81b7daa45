"""Writes the TextMate grammar of the extension, from the terminals of the grammar and the names that are predeclared.

python -m tests.editor.textmate
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from lfc.semantics.names.universe import ATOMS, FUNCTIONS, PREDECLARED_TYPES, PROCEDURES, PSEUDO_MODULES
from lfc.syntax.grammar.terminals import KEYWORDS
from tests.conftest import ROOT

FILE = ROOT / "editors" / "vscode" / "syntaxes" / "lf.tmLanguage.json"
OPERATORS_IN_WORDS = {"DIV", "MOD", "OR", "IN", "IFF", "IMPLIES", "UNTIL", "WEAKUNTIL", "RELEASE"}
TEMPORAL = {"ALWAYS", "EVENTUALLY", "NEXT", "IFF", "IMPLIES", "WEAKUNTIL", "RELEASE"}
DECLARING = {"MODULE", "ENVIRONMENT", "PROCEDURE", "PROCESS", "PROPERTY", "CONST", "TYPE", "VAR", "PORT", "IMPORT"}


def word(names: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(names))})\b"


def grammar() -> dict[str, object]:
    others = {*KEYWORDS} - OPERATORS_IN_WORDS - TEMPORAL - DECLARING - {"MAX"}
    functions = {*FUNCTIONS, *PROCEDURES, *ATOMS} - {"MAX"}
    rules = [
        ("constant.language.lf", word(["TRUE", "FALSE", "true", "false"])),
        ("support.type.lf", word(PREDECLARED_TYPES)),
        ("support.function.lf", r"\bMAX\b(?=\s*\()"),
        ("keyword.control.lf", word(others | {"MAX"})),
        ("keyword.declaration.lf", word(DECLARING)),
        ("keyword.operator.temporal.lf", word(TEMPORAL)),
        ("keyword.operator.word.lf", word(OPERATORS_IN_WORDS - TEMPORAL)),
        ("support.function.lf", word(functions)),
        ("support.class.lf", word(PSEUDO_MODULES)),
        ("variable.other.lf", r"\b[A-Za-z_][A-Za-z0-9_]*\b"),
        ("constant.character.lf", r"\b[0-9][0-9A-F]*X\b"),
        ("constant.numeric.lf", r"\b[0-9][0-9A-F]*H\b|\b[0-9]+(?:\.[0-9]+)?"),
        ("constant.character.lf", r"'''|'[^'\n]'"),
        ("keyword.operator.lf", r":=|\.\.|<->|<=|<>|<|>=|>|->|\[\]|[-+*/&~=#!?|]"),
    ]
    texts = [
        {"name": "string.quoted.double.lf", "begin": '"', "end": '"|$'},
        {"name": "string.quoted.single.lf", "begin": "'", "end": "'|$"},
    ]
    named = [{"name": name, "match": pattern} for name, pattern in rules]
    comment = {"name": "comment.block.lf", "begin": r"\(\*", "end": r"\*\)", "patterns": [{"include": "#comment"}]}
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "LF",
        "scopeName": "source.lf-toolchain",
        "patterns": [{"include": "#comment"}, *named, *texts],
        "repository": {"comment": comment},
    }


def text() -> str:
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")

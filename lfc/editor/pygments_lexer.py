"""Colours for Pygments, and whatever uses it (Sphinx, MkDocs, minted): the language `lf`."""

from __future__ import annotations

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from lfc.semantics.names.universe import ATOMS, FUNCTIONS, PREDECLARED_TYPES, PROCEDURES, PSEUDO_MODULES
from lfc.syntax.grammar.terminals import KEYWORDS

TRUTH = ("TRUE", "FALSE", "true", "false")


class LFLexer(RegexLexer):  # type: ignore[misc]  # its package has no types
    """Words, numbers and comments as `lfc/syntax/grammar/lexer.py` cuts them."""

    name = "LF"
    aliases = ["lf"]
    filenames = ["*.lf"]
    mimetypes = ["text/x-lf"]

    tokens = {
        "root": [
            (r"\s+", Text),
            (r"\(\*", Comment.Multiline, "comment"),
            (words(TRUTH, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(tuple(PREDECLARED_TYPES), prefix=r"\b", suffix=r"\b"), Keyword.Type),
            (words((*PROCEDURES, *ATOMS), prefix=r"\b", suffix=r"\b"), Name.Builtin),
            # MAX is a keyword, and a function where a parenthesis follows.
            (r"\bMAX(?=\s*\()", Name.Builtin),
            (words(tuple(KEYWORDS), prefix=r"\b", suffix=r"\b"), Keyword),
            (words(FUNCTIONS, prefix=r"\b", suffix=r"\b"), Name.Builtin),
            (words(tuple(PSEUDO_MODULES), prefix=r"\b", suffix=r"\b"), Name.Namespace),
            (r"[A-Za-z_][A-Za-z0-9_]*", Name),
            (r"[0-9][0-9A-F]*X\b", String.Char),
            (r"[0-9][0-9A-F]*H\b", Number.Hex),
            (r"[0-9]+\.[0-9]+", Number.Float),
            (r"[0-9]+", Number.Integer),
            (r"'''", String.Char),
            (r"\"[^\"\n]*\"|'[^'\n]*'", String),
            (r":=|\.\.|<->|<=|<>|<|>=|>|->|\[\]|[-+*/&~=#!?|]", Operator),
            (r"[;,.:(){}\[\]]", Punctuation),
        ],
        "comment": [
            (r"\(\*", Comment.Multiline, "#push"),
            (r"\*\)", Comment.Multiline, "#pop"),
            (r"[^(*]+|[(*]", Comment.Multiline),
        ],
    }

    def analyse_text(text: str) -> float:  # its metaclass wants no self
        """Lingua Franca's files have the same suffix."""
        head = text.lstrip()[:2000]
        return 0.9 if head.startswith(("MODULE ", "ENVIRONMENT MODULE ", "(*")) and "MODULE " in head else 0.0

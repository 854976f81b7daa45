"""How each terminal is spelled and what it is called in English."""

from __future__ import annotations

from lfc.syntax.grammar.tables import END_OF_TEXT, load_tables

TERMINALS = load_tables().terminals
NUMBER = {name: number for number, name in enumerate(TERMINALS)}
UNKNOWN = len(TERMINALS)  # text that is no token; no production has it

# Punctuation: the terminal's name in the tables, its spelling, its English name.
_PUNCTUATION = [
    ("SEMICOLON", ";", "a semicolon"),
    ("COMMA", ",", "a comma"),
    ("COLON", ":", "a colon"),
    ("DOT", ".", "a full stop"),
    ("RANGE", "..", "`..`"),
    ("BECOMES", ":=", "`:=`"),
    ("LPAR", "(", "`(`"),
    ("RPAR", ")", "`)`"),
    ("LSQB", "[", "`[`"),
    ("RSQB", "]", "`]`"),
    ("LBRACE", "{", "`{`"),
    ("RBRACE", "}", "`}`"),
    ("EQUAL", "=", "`=`"),
    ("NOT_EQUAL", "#", "`#`"),
    ("LESSTHAN", "<", "`<`"),
    ("LESS_EQUAL", "<=", "`<=`"),
    ("MORETHAN", ">", "`>`"),
    ("GREATER_EQUAL", ">=", "`>=`"),
    ("PLUS", "+", "`+`"),
    ("MINUS", "-", "`-`"),
    ("STAR", "*", "`*`"),
    ("SLASH", "/", "`/`"),
    ("AMPERSAND", "&", "`&`"),
    ("TILDE", "~", "`~`"),
    ("VBAR", "|", "`|`"),
    ("BANG", "!", "`!`"),
    ("QMARK", "?", "`?`"),
]
_SHORT_FORMS = {"[]": "ALWAYS", "<>": "EVENTUALLY", "->": "IMPLIES", "<->": "IFF"}
_OTHERS = {
    END_OF_TEXT: "the end of the file",
    "IDENT": "a name",
    "INTEGER": "a number",
    "DECIMAL": "a decimal number",
    "CHARACTER": "a character",
    "STRING": "a string",
    "OR_BRANCH": "`OR`",
    "TAG_BRACE": "`{`",
    "ERROR_DECLARATION": "a declaration",
    "ERROR_STATEMENT": "a statement",
    "ERROR_EXPRESSION": "an expression",
    "ERROR_TYPE": "a type",
}

OPERATORS = {spelling: NUMBER[name] for name, spelling, _ in _PUNCTUATION}
OPERATORS.update({short: NUMBER[long] for short, long in _SHORT_FORMS.items()})

KEYWORDS = {
    name: NUMBER[name] for name in TERMINALS if name not in _OTHERS and name not in {row[0] for row in _PUNCTUATION}
}
OF_MONITORS = {name: KEYWORDS.pop(name) for name in ("MONITOR", "ON")}  # in texts that begin with the first

# The text that writes a terminal; names and placeholders have none of their own.
SPELLING: list[str] = [""] * (len(TERMINALS) + 1)
for _name, _spelling, _ in _PUNCTUATION:
    SPELLING[NUMBER[_name]] = _spelling
for _name in (*KEYWORDS, *OF_MONITORS):
    SPELLING[NUMBER[_name]] = _name
SPELLING[NUMBER["OR_BRANCH"]] = "OR"
SPELLING[NUMBER["TAG_BRACE"]] = "{"

ENGLISH: list[str] = [f"`{spelling}`" for spelling in SPELLING]
for _name, _, _english in _PUNCTUATION:
    ENGLISH[NUMBER[_name]] = _english
for _name, _english in _OTHERS.items():
    ENGLISH[NUMBER[_name]] = _english
ENGLISH[UNKNOWN] = "this character"

"""The parameters of what is being called, created, sent or received."""

from __future__ import annotations

from bisect import bisect_left

from lsprotocol import types as lsp

from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.designators import CLOSE, COMMA, LPAR, OPEN, designator_start, meaning, type_of
from lfc.editor.features.completion import formal_text
from lfc.editor.features.predeclared import PREDECLARED
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.scope import Predeclared
from lfc.syntax.grammar.terminals import NUMBER

TRIGGERS = ["(", ","]
BANG, QMARK, SEMICOLON = (NUMBER[n] for n in ("BANG", "QMARK", "SEMICOLON"))


def signature_help(analysis: Analysis, position: lsp.Position) -> lsp.SignatureHelp | None:
    found = opening_before(analysis, analysis.lines.offset(position))
    if found is None:
        return None
    opening, argument = found
    signature = signature_of(analysis, opening)
    if signature is None:
        return None
    name, parameters = signature
    label = f"{name}({'; '.join(parameters)})"
    informations = [lsp.ParameterInformation(p) for p in parameters]
    return lsp.SignatureHelp([lsp.SignatureInformation(label, parameters=informations)], 0, argument)


def opening_before(analysis: Analysis, offset: int) -> tuple[int, int] | None:
    """The parenthesis around the cursor that is not closed, and how many commas stand behind it."""
    tokens = analysis.tokens
    at, depth, commas = bisect_left(tokens.starts, offset) - 1, 0, 0
    while at >= 0:
        kind = tokens.kinds[at]
        if kind in CLOSE:
            depth += 1
        elif kind in OPEN:
            if depth == 0:
                return (at, commas) if kind == LPAR else None
            depth -= 1
        elif kind == COMMA and depth == 0:
            commas += 1
        elif kind == SEMICOLON and depth == 0:
            return None
        at -= 1
    return None


def signature_of(analysis: Analysis, opening: int) -> tuple[str, list[str]] | None:
    tokens = analysis.tokens
    name = opening - 1
    if name < 0:
        return None
    if name >= 2 and tokens.kinds[name - 1] in (BANG, QMARK):
        return of_message(analysis, name)
    first = designator_start(analysis, name)
    of = meaning(analysis, name)
    if first is None or of is None:
        return None
    text = analysis.source.text[tokens.starts[first] : tokens.ends[name]]
    if isinstance(of, typed.Process):
        return text, [formal_text(v) for v in of.stated_formals]
    if isinstance(of, Predeclared) and of.name in PREDECLARED:
        call = PREDECLARED[of.name][0]
        return text, call[call.find("(") + 1 : -1].split(", ") if call.endswith(")") else []
    if isinstance(of, typed.NamedType):
        return text, ["x"]
    return None


def of_message(analysis: Analysis, name: int) -> tuple[str, list[str]] | None:
    t = type_of(meaning(analysis, name - 2))
    wanted = analysis.tokens.text(name)
    if not isinstance(t, ty.ChannelType):
        return None
    message = next((m for m in t.messages if m.name == wanted), None)
    return None if message is None else (message.name, [str(t) for t in message.types])

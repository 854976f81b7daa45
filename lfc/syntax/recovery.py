"""Turns tokens that are no module into tokens that are one, and reports what is wrong."""

from __future__ import annotations

from lfc.diagnostics.model import Diagnostics
from lfc.syntax.lexer import Tokens
from lfc.syntax.stack import BOTTOM, complete, shift
from lfc.syntax.terminals import NUMBER


def repair_tokens(tokens: Tokens, diagnostics: Diagnostics, too_deep_at: int | None) -> Tokens:
    out = Tokens(tokens.source, comments=tokens.comments)
    stack = BOTTOM
    for index, kind in enumerate(tokens.kinds):
        after = shift(stack, kind)
        if after is None:
            diagnostics.report("LF0206", tokens.span(index), "syntax error")
            end = tokens.ends[index - 1] if index else 0
            for terminal in [*complete(stack), NUMBER["$END"]]:
                out.kinds.append(terminal)
                out.starts.append(end)
                out.ends.append(end)
            return out
        stack = after
        out.kinds.append(kind)
        out.starts.append(tokens.starts[index])
        out.ends.append(tokens.ends[index])
    return out

"""Names that nothing declares: gathered while a module is analysed, reported once each at its end.

Waiting pays: by then it is known which declared names nobody used. When an unknown name occurs again and again and
looks like such an idle name, the declaration is what was misspelt, and that is where the report points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.semantics.model import typed
from lfc.semantics.names.scope import Predeclared, Scope, Symbol, kind_of, span_of

MOST_COMPARED = 50  # unknown names that get a "did you mean"; more are hardly misspellings
MOST_CANDIDATES = 2000  # that a name is compared with letter by letter
CLOSE = 0.7
_WORDS_FOR_OPERATORS = {"NOT": "~"}  # where the syntax takes them for names, as in `NOT (a = b)`
_WORDS_OF_OTHER_LANGUAGES = {
    "AFTER": "a clause of a SELECT that time opens is `WHEN Clock.After(milliseconds) THEN`",
    "BREAK": "EXIT leaves a LOOP",
    "DELAY": "`Clock.Sleep(milliseconds)` waits",
    "SLEEP": "`Clock.Sleep(milliseconds)` waits",
    "TIMEOUT": "a clause of a SELECT that time opens is `WHEN Clock.After(milliseconds) THEN`",
    "NIL": "there are no pointers; a port that names no channel cannot be written",
    "NULL": "there are no pointers; a port that names no channel cannot be written",
    "PRINTF": "module `Out` writes: `Out.String`, `Out.Int`, `Out.Ln`",
    "PRINT": "module `Out` writes: `Out.String`, `Out.Int`, `Out.Ln`",
    "WRITE": "module `Out` writes: `Out.String`, `Out.Int`, `Out.Ln`",
    "WRITELN": "module `Out` writes: `Out.String`, `Out.Int`, `Out.Ln`",
    "REAL": "there are no floating-point numbers",
    "FLOAT": "there are no floating-point numbers",
    "INT": "the number types are INTEGER, INT8, INT16, INT32, UINT8, UINT16 and UINT32",
    "LONGINT": "the number types are INTEGER, INT8, INT16, INT32, UINT8, UINT16 and UINT32",
    "BYTE": "the number types are INTEGER, INT8, INT16, INT32, UINT8, UINT16 and UINT32",
    "STRING": "a string is an ARRAY n OF CHAR; a parameter can be an ARRAY OF CHAR",
}


@dataclass(slots=True)
class UnknownName:
    name: str
    spans: list[Span]
    scope: Scope  # of the first occurrence


@dataclass(slots=True)
class UnknownNames:
    diagnostics: Diagnostics
    found: dict[str, UnknownName] = field(default_factory=dict)
    closing_names: dict[typed.Process, str] = field(
        default_factory=dict
    )  # END name, where it differs from the process's

    def add(self, name: str, span: Span, scope: Scope) -> None:
        known = self.found.get(name)
        if known is None:
            self.found[name] = UnknownName(name, [span], scope)
        else:
            known.spans.append(span)

    def report(self, seen: set[Symbol], importable: Callable[[str], tuple[bool, Fix | None]]) -> None:
        """`importable`: whether a module of this name could be imported, and what would do it."""
        blamed: set[Symbol] = set()
        for count, unknown in enumerate(self.found.values()):
            first = unknown.spans[0]
            is_module, import_fix = importable(unknown.name) if count < MOST_COMPARED else (False, None)
            if is_module:
                message = f"module `{unknown.name}` is not imported"
                self.diagnostics.report("LF0301", first, message, fix=import_fix)
                continue
            later = next((s.names[unknown.name] for s in unknown.scope.outward() if unknown.name in s.names), None)
            if isinstance(later, typed.Property):
                note = Note(f"`{unknown.name}` is declared here", later.span)
                message = f"`{unknown.name}` is a property, which nothing can use"
                self.diagnostics.report("LF0308", first, message, note)
                continue
            if later is not None:
                note = Note(f"`{unknown.name}` is declared here, as {kind_of(later)}", span_of(later))
                self.diagnostics.report("LF0304", first, f"`{unknown.name}` is used before its declaration", note)
                continue
            if unknown.name.upper() in _WORDS_FOR_OPERATORS:
                operator = _WORDS_FOR_OPERATORS[unknown.name.upper()]
                fix = Fix(first, operator, f"write `{operator}`")
                self.diagnostics.report("LF0301", first, f"`{unknown.name}` is written `{operator}`", fix=fix)
                continue
            suspect, symbol = self._closest(unknown, seen) if count < MOST_COMPARED else (None, None)
            message = f"`{unknown.name}` is not declared"
            if suspect is None or symbol is None:
                meant = _WORDS_OF_OTHER_LANGUAGES.get(unknown.name.upper())
                self.diagnostics.report("LF0301", first, message, *([Note(meant)] if meant else []))
                continue
            where = span_of(symbol)
            if where is not None and symbol not in seen and symbol not in blamed and self._is_blamed(symbol, unknown):
                blamed.add(symbol)
                times = f"{len(unknown.spans)} times" if len(unknown.spans) > 1 else "once"
                self.diagnostics.report(
                    "LF0301",
                    where,
                    f"`{suspect}` is declared but never used, and `{unknown.name}` is used {times} but not declared",
                    Note(f"`{unknown.name}` is used here", first),
                    fix=Fix(where, unknown.name, f"declare it as `{unknown.name}`"),
                )
                continue
            notes = [Note(f"`{suspect}` is declared here, as {kind_of(symbol)}", where)] if where is not None else []
            fix = Fix(first, suspect, f"did you mean `{suspect}`?")
            self.diagnostics.report("LF0301", first, f"{message}; did you mean `{suspect}`?", *notes, fix=fix)

    def _closest(self, unknown: UnknownName, seen: set[Symbol]) -> tuple[str | None, Symbol | None]:
        """Rather a name that nobody used."""
        visible: dict[str, Symbol] = {}
        for scope in unknown.scope.outward():
            for name, symbol in scope.names.items():
                visible.setdefault(name, symbol)
        idle = [n for n, s in visible.items() if s not in seen and span_of(s) is not None]
        best = closest(unknown.name, idle) or closest(unknown.name, list(visible))
        return best, visible[best] if best is not None else None

    def _is_blamed(self, symbol: Symbol, unknown: UnknownName) -> bool:
        if isinstance(symbol, Predeclared):
            return False
        if isinstance(symbol, typed.Process) and self.closing_names.get(symbol) == unknown.name:
            return True
        return len(unknown.spans) > 1


def closest(name: str, candidates: list[str]) -> str | None:
    """The candidate that `name` is probably a misspelling of."""
    folded = name.casefold()
    for candidate in candidates:
        if candidate.casefold() == folded:
            return candidate
    letters = sorted(name)
    for candidate in candidates:
        if len(name) > 2 and sorted(candidate) == letters:
            return candidate
    if len(candidates) > MOST_CANDIDATES:
        return None
    close = get_close_matches(name, candidates, n=1, cutoff=CLOSE)
    return close[0] if close else None


def did_you_mean(name: str, candidates: list[str], span: Span) -> tuple[str, Fix | None]:
    """The end of a message, and a fix, for a name that is none of the candidates."""
    best = closest(name, candidates)
    if best is None:
        return "", None
    return f"; did you mean `{best}`?", Fix(span, best, f"did you mean `{best}`?")

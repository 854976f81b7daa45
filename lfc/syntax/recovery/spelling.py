"""Which keywords a word may be a misspelling of."""

from __future__ import annotations

from functools import lru_cache

from lfc.syntax.grammar.terminals import KEYWORDS

# Keywords of other languages.
_FOREIGN = {
    "FUNCTION": "PROCEDURE",
    "FUNC": "PROCEDURE",
    "ELIF": "ELSIF",
    "ELSEIF": "ELSIF",
    "ENDIF": "END",
    "BREAK": "EXIT",
    "SWITCH": "CASE",
}


@lru_cache(maxsize=4096)
def likely_keywords(word: str) -> dict[int, float]:
    """Terminal -> how unlikely: 0 for another case, else the number of slips (a letter more, less, other; a swap)."""
    if len(word) > 14:
        return {}
    upper = word.upper()
    found: dict[int, float] = {}
    if upper in _FOREIGN:
        found[KEYWORDS[_FOREIGN[upper]]] = 0.5
    for keyword, terminal in KEYWORDS.items():
        allowed = 1 if len(keyword) <= 4 else 2
        if abs(len(keyword) - len(upper)) <= allowed:
            slips = _slips(upper, keyword)
            if slips <= allowed and slips < len(keyword):
                found[terminal] = slips + (0.25 if slips and word != upper else 0.0)
    return found


def _slips(a: str, b: str) -> int:
    """Optimal string alignment distance."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row = row, [i]
        for j, y in enumerate(b, 1):
            best = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before = previous
    return row[-1]

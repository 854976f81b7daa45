"""Guards that fault where a zero is received, put into the text of random programs.

Such a fault comes in the action of whoever comes second, so it matters who is first.
"""

from __future__ import annotations

import random
import re

RECEIVES = re.compile(r"(\?m\(y\)) (?:& \([^()]*\) )?(?=THEN)")


def with_faulting_guards(text: str, seed: int) -> str:
    """Of a third of the programs, in half of the clauses that receive a number."""
    rng = random.Random(f"guards {seed}")
    if rng.random() < 0.67:
        return text
    return RECEIVES.sub(lambda m: rng.choice([m[0], f"{m[1]} & (2 DIV y < 3) "]), text)

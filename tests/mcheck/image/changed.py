"""Images with a changed word, and what their check says."""

from __future__ import annotations

from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from tests.mcheck.image.images import Built

POLL = """MODULE Watch;
VAR n : INTEGER; text : ARRAY 8 OF CHAR;
PROCESS Count;
BEGIN
  LOOP n := (n + 1) MOD 3; text[n] := CHR(65 + n); RESCHEDULE END
END Count;
BEGIN
  CREATE Count
END Watch.
"""


def with_word(flash: bytes, at: int, word: int) -> bytes:
    return flash[:at] + word.to_bytes(2, "little") + flash[at + 2 :]


def seen(b: Built, flash: bytes) -> set[Kind]:
    return {m.kind for m in b.check(flash).mismatches}

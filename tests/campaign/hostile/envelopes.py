"""The campaign of forged records: signed envelopes in which something is changed, on every level. The full quota:

    python -m tests.campaign.hostile.envelopes --count 10000 --seed 1

Each is refused: what is left of it is no record, or its signature is wrong.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from base64 import b64decode, b64encode
from collections import Counter
from pathlib import Path
from typing import Any

from lfc.records.record import BadRecord
from lfc.records.signing import Keys, SigningError, sign_statement, who_signed
from lfc.records.statement import read_record, statement_of
from lfc.records.store import Stored
from tests.records.keys import new_key
from tests.records.made import RECORD
from tests.support.seeds import count_and_seed


def mutant(content: bytes, chance: random.Random) -> bytes:
    """A byte of the file; a byte of what is inside of it, put together again as it should be; a member more or less."""
    data: dict[str, Any] = json.loads(content)
    match chance.randrange(6):
        case 0:
            return damaged(content, chance)
        case 1:
            data["payload"] = b64encode(damaged(b64decode(data["payload"]), chance)).decode()
        case 2:
            one = chance.choice(data["signatures"])
            one["sig"] = b64encode(damaged(b64decode(one["sig"]), chance)).decode()
        case 3:
            one = chance.choice(data["signatures"])
            one["keyid"] = damaged(one["keyid"].encode(), chance).decode(errors="replace")
        case 4:
            payload = json.loads(b64decode(data["payload"]))
            change_a_member(payload, chance)
            text = (json.dumps(payload, indent=1, sort_keys=True) + "\n").encode()
            data["payload"] = b64encode(text).decode()
        case _:
            change_a_member(data, chance)
    return (json.dumps(data, indent=1) + "\n").encode()


def damaged(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    at = chance.randrange(len(changed))
    match chance.randrange(4):
        case 0:
            changed[at] ^= 1 << chance.randrange(8)
        case 1:
            changed[at] = chance.randrange(256)
        case 2:
            del changed[at : at + chance.randrange(1, 9)]
        case _:
            changed[at:at] = changed[chance.randrange(len(changed)) :][:8]
    return bytes(changed)


def change_a_member(data: dict[str, Any], chance: random.Random) -> None:
    name = chance.choice(sorted(data))
    value = data[name]
    if isinstance(value, dict) and value and chance.random() < 0.8:
        change_a_member(value, chance)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        data[name] = value + 1
    elif isinstance(value, str):
        data[name] = value + "x" if chance.random() < 0.5 else value[1:]
    elif name == "signatures":
        data[name] = []  # one of two may be missing: the other is as good
    elif isinstance(value, list):
        data[name] = [*value, "x"] if chance.random() < 0.5 or not value else value[1:]
    else:
        del data[name]


def end_of(content: bytes, keys: Keys) -> str:
    try:
        record = read_record(content)
    except BadRecord:
        return "no record"
    try:
        who_signed(Stored(Path("x.json"), content, record), keys)
    except SigningError:
        return "no signature"
    return "accepted"


def ends_of_mutants(content: bytes, keys: Keys, count: int, seed: int) -> Counter[str]:
    chance, ends = random.Random(seed), Counter[str]()
    assert end_of(content, keys) == "accepted"
    while ends.total() < count:
        changed = mutant(content, chance)
        if changed != content:
            ends[end_of(changed, keys)] += 1
    return ends


def main() -> None:
    options = count_and_seed(__doc__, 10_000)
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        key = new_key(Path(folder), "key")
        signed = sign_statement(statement_of(RECORD), key)
        ends = ends_of_mutants(signed, Keys.of_file(key.with_suffix(".pub")), options.count, options.seed)
    print(dict(ends))
    sys.exit(1 if ends["accepted"] else 0)


if __name__ == "__main__":
    main()

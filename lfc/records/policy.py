"""A policy of a station that flashes: who must have signed, and what a check must have looked at. One TOML file.

docs/reference/records.md has the keys.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from lfc.base.read_file import SETTING, read_file, toml_of
from lfc.records.demand import Demand, Level
from lfc.records.record import CheckRecord, time_of
from lfc.records.signing import KEY_KINDS, Keys, SigningError, allowed_signers

LONGEST_PART = 9  # digits of a part of a version
MOST_DAYS = 36_500  # a hundred years
AHEAD = timedelta(hours=1)  # so far two clocks may differ


class BadPolicy(Exception):
    """The file is no policy; the message says why."""


@dataclass(frozen=True, slots=True)
class Policy:
    file: str
    digest: str
    keys: Keys
    demand: Demand
    boards: tuple[str, ...] = ()  # none: any
    properties: tuple[str, ...] = ()  # that must hold
    assumptions: tuple[str, ...] | None = None  # that may be made; None: any
    image_checked: bool = False  # the machine code must have been executed, and agree
    resumed: bool = True  # a search may have been resumed from an authenticated checkpoint
    least_toolchain: str = ""
    revoked_toolchains: tuple[str, ...] = ()
    max_age_days: int = 0  # 0: any
    refuse_rollback: bool = False

    def objections(self, record: CheckRecord, at: datetime, flashed: Sequence[dict[str, Any]]) -> list[str]:
        """What of the record this policy does not allow. `flashed`: what the log of this station says."""
        r, version = record, record.toolchain.get("lfc", "")
        missing = [p for p in self.properties if r.properties.get(p) != "holds"]
        made = [*r.assumptions, *(f"environment {name}" for name in r.scope.environment)]
        beyond = [] if self.assumptions is None else [a for a in made if a not in self.assumptions]
        agrees = (r.image_checked or {}).get("verdict") == "agrees"
        wrong: list[tuple[object, str]] = [
            (self.boards and r.board not in self.boards, f"the board {r.board} is not one of {', '.join(self.boards)}"),
            (missing, f"no check has shown that `{missing[0] if missing else ''}` holds"),
            (beyond, f"its check assumes what the policy does not allow: {beyond[0] if beyond else ''}"),
            (self.image_checked and not agrees, "its machine code was not executed in every state (--image)"),
            (not self.resumed and r.resumed, "its search was resumed from a checkpoint"),
            (
                self.least_toolchain and not at_least(version, self.least_toolchain),
                f"it was checked by lfc {version}, which is older than {self.least_toolchain}",
            ),
            (version in self.revoked_toolchains, f"it was checked by lfc {version}, which is revoked"),
        ]
        found = [told for is_wrong, told in wrong if is_wrong]
        return [f"{told} ({self.file})" for told in [*found, *self._of_time(r, at, flashed)]]

    def _of_time(self, record: CheckRecord, at: datetime, flashed: Sequence[dict[str, Any]]) -> list[str]:
        checked, found = time_of(record.checked_at), []
        assert checked is not None  # or the record would contradict itself
        if self.max_age_days and at - checked > timedelta(days=self.max_age_days):
            found.append(f"its check of {record.checked_at} is older than {self.max_age_days} days")
        times = [t for entry in flashed if (t := time_of(str(entry.get("at")))) is not None]
        if (self.max_age_days or self.refuse_rollback) and times and at + AHEAD < max(times):
            found.append(f"the clock of this machine is behind its last flash of {max(times):%Y-%m-%dT%H:%M:%SZ}")
        newer = [str(e["checked_at"]) for e in flashed if is_newer(e, record)]
        if self.refuse_rollback and newer:
            found.append(
                f"its check of {record.checked_at} is older than that of what was flashed before ({max(newer)}): a "
                "rollback"
            )
        return found


def is_newer(entry: dict[str, Any], record: CheckRecord) -> bool:
    """Of the same program for the same board, and checked later."""
    same = entry.get("event") == "flashed" and (entry.get("file"), entry.get("board")) == (record.file, record.board)
    return same and isinstance(entry.get("checked_at"), str) and entry["checked_at"] > record.checked_at


def at_least(version: str, least: str) -> bool:
    return numbers_of(version) >= numbers_of(least)


def numbers_of(version: str) -> list[int]:
    """Without what stands behind them, such as `.dev1`."""
    found = []
    for part in version.split("."):
        if not part.isdecimal() or len(part) > LONGEST_PART:
            break
        found.append(int(part))
    return found


# --- the file ---


def is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def is_count(value: object) -> bool:
    return type(value) is int and value > 0


def is_days(value: object) -> bool:
    return is_count(value) and isinstance(value, int) and value <= MOST_DAYS


def is_version(value: object) -> bool:
    return isinstance(value, str) and bool(numbers_of(value))


TEXTS: tuple[Callable[[object], bool], str] = (is_texts, "a list of strings")
COUNT: tuple[Callable[[object], bool], str] = (is_count, "a whole number above 0")
TRUTH: tuple[Callable[[object], bool], str] = (lambda v: isinstance(v, bool), "true or false")
LEVELS = (Level.PROOF, Level.NO_ERROR_FOUND)
KEYS: dict[str, tuple[Callable[[object], bool], str]] = {
    "keys": (lambda v: is_texts(v) and v != [], "a list of SSH public keys"),
    "require": (lambda v: v in LEVELS, " or ".join(f'"{level}"' for level in LEVELS)),
    "at-least-states": COUNT,
    "at-least-seconds": COUNT,
    "boards": TEXTS,
    "properties": TEXTS,
    "assumptions": TEXTS,
    "image-checked": TRUTH,
    "resumed": TRUTH,
    "least-toolchain": (is_version, 'a version, such as "0.1.0"'),
    "revoked-toolchains": TEXTS,
    "max-age-days": (is_days, f"a whole number from 1 to {MOST_DAYS}"),
    "rollback": (lambda v: v in ("allow", "refuse"), '"allow" or "refuse"'),
}


def read_policy(path: Path) -> tuple[Policy, bytes]:
    """And its bytes, which may be signed. Raises BadPolicy."""
    try:
        content = read_file(path, SETTING)
        told = toml_of(content)
    except OSError as error:
        raise BadPolicy(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadPolicy(f"{path} is not valid TOML: {error}") from None
    return policy_of(str(path), content, told), content


def policy_of(file: str, content: bytes, told: dict[str, Any]) -> Policy:
    for key, value in told.items():
        if key not in KEYS:
            raise BadPolicy(f"{file}: unknown key `{key}`; the keys are {', '.join(KEYS)}")
        is_right, what = KEYS[key]
        if not is_right(value):
            raise BadPolicy(f"{file}: `{key}` must be {what}")
    if "keys" not in told:
        raise BadPolicy(f"{file}: `keys` is missing: whose signature counts")
    for line in told["keys"]:
        if "\n" in line or not any(word.startswith(KEY_KINDS) for word in line.split()):
            raise BadPolicy(f"{file}: `keys` must be SSH public keys, not `{line}`")
    try:
        keys = Keys(allowed_signers("\n".join(told["keys"])), file)
    except SigningError as error:
        raise BadPolicy(f"{file}: `keys`: {error}") from None
    level = Level(told.get("require", Level.PROOF))
    if level is Level.PROOF and ("at-least-states" in told or "at-least-seconds" in told):
        raise BadPolicy(f'{file}: `at-least-states` and `at-least-seconds` need `require = "{Level.NO_ERROR_FOUND}"`')
    return Policy(
        file=file,
        digest=hashlib.sha256(content).hexdigest(),
        keys=keys,
        demand=Demand(level, told.get("at-least-states", 0), told.get("at-least-seconds", 0)),
        boards=tuple(told.get("boards", ())),
        properties=tuple(told.get("properties", ())),
        assumptions=tuple(told["assumptions"]) if "assumptions" in told else None,
        image_checked=told.get("image-checked", False),
        resumed=told.get("resumed", True),
        least_toolchain=told.get("least-toolchain", ""),
        revoked_toolchains=tuple(told.get("revoked-toolchains", ())),
        max_age_days=told.get("max-age-days", 0),
        refuse_rollback=told.get("rollback", "allow") == "refuse",
    )

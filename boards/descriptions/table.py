"""One table of a board's TOML file: its values, each checked when it is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any


class BoardError(Exception):
    """A board that does not exist, or whose description is wrong."""

    def __init__(self, file: str, key: str, message: str, note: str = "") -> None:
        self.file = file
        self.key = key  # such as `memory.flash.size`; empty for the whole file
        self.message = message
        self.note = note
        place = f"{file}: `{key}`" if key else file
        super().__init__(f"{place}: {message}" + (f" ({note})" if note else ""))


class Table:
    """One table of the file. It knows which keys were asked for, so that a misspelt one is found."""

    def __init__(self, file: str, path: str, values: dict[str, Any]) -> None:
        self.file = file
        self.path = path
        self.values = values
        self.asked: list[str] = []

    def text(self, key: str) -> str:
        value = self._value(key)
        if not isinstance(value, str):
            raise self._wrong(key, f"must be a string, not {value!r}")
        return value

    def optional_text(self, key: str) -> str | None:
        if key not in self.values:
            self.asked.append(key)
            return None
        return self.text(key)

    def optional_text_list(self, key: str) -> tuple[str, ...] | None:
        if key not in self.values:
            self.asked.append(key)
            return None
        return self.text_list(key)

    def text_list(self, key: str) -> tuple[str, ...]:
        value = self._value(key)
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            raise self._wrong(key, f"must be a list of strings, not {value!r}")
        return tuple(value)

    def optional_list_of(self, key: str, choices: tuple[str, ...]) -> tuple[str, ...] | None:
        values = self.optional_text_list(key)
        for value in values or ():
            if value not in choices:
                raise self._wrong(key, f"`{value}` is not one of {', '.join(choices)}")
        return values

    def one_of(self, key: str, choices: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in choices:
            raise self._wrong(key, f"`{value}` is not one of {', '.join(choices)}")
        return value

    def optional_one_of(self, key: str, choices: tuple[str, ...]) -> str | None:
        if key not in self.values:
            self.asked.append(key)
            return None
        return self.one_of(key, choices)

    def optional_number(self, key: str, low: int, high: int) -> int | None:
        if key not in self.values:
            self.asked.append(key)
            return None
        return self.number(key, low, high)

    def number(self, key: str, low: int, high: int) -> int:
        value = self._value(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(key, f"must be a whole number, not {value!r}")
        if not low <= value <= high:
            raise self._wrong(key, f"{value} is not in {low} to {high}")
        return value

    def decimal(self, key: str, high: float) -> float:
        value = self._value(key)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self._wrong(key, f"must be a number, not {value!r}")
        if not 0 <= value <= high:
            raise self._wrong(key, f"{value} is not in 0 to {high:g}")
        return float(value)

    def flag(self, key: str) -> bool:
        """False if it is not there."""
        value = self.values.get(key, False)
        self.asked.append(key)
        if not isinstance(value, bool):
            raise self._wrong(key, f"must be true or false, not {value!r}")
        return value

    def byte_list(self, key: str) -> bytes:
        value = self._value(key)
        if not isinstance(value, list) or not all(type(v) is int and 0 <= v <= 255 for v in value):
            raise self._wrong(key, f"must be a list of bytes, not {value!r}")
        return bytes(value)

    def address_values(self, key: str, highest: int) -> tuple[tuple[int, int], ...]:
        """A list of pairs: the address of a register, its value."""
        value = self._value(key)
        good = isinstance(value, list) and all(
            isinstance(p, list) and len(p) == 2 and all(type(n) is int and n >= 0 for n in p) for p in value
        )
        if not good or not all(p[0] <= 0xFFFFFFFF and p[1] <= highest for p in value):
            raise self._wrong(key, f"must be a list of pairs [address, value], values at most {highest}, not {value!r}")
        return tuple((p[0], p[1]) for p in value)

    def usb_ids(self, key: str) -> tuple[tuple[int, int], ...]:
        ids = []
        for text in self.optional_text_list(key) or ():
            vendor, colon, product = text.partition(":")
            try:
                if not colon or len(vendor) != 4 or len(product) != 4:
                    raise ValueError
                ids.append((int(vendor, 16), int(product, 16)))
            except ValueError:
                raise self._wrong(key, f"`{text}` is not a pair vendor:product such as 2341:0043") from None
        return tuple(ids)

    def table(self, key: str) -> Table:
        value = self._value(key)
        if not isinstance(value, dict):
            raise self._wrong(key, "must be a table")
        return Table(self.file, self._path(key), value)

    def optional_table(self, key: str) -> Table | None:
        if key not in self.values:
            self.asked.append(key)
            return None
        return self.table(key)

    def refuse_unknown_keys(self) -> None:
        for key in self.values:
            if key not in self.asked:
                close = get_close_matches(key, self.asked, n=1)
                note = f"did you mean `{close[0]}`?" if close else f"known: {', '.join(sorted(self.asked))}"
                raise BoardError(self.file, self._path(key), "is not known", note)

    def _value(self, key: str) -> Any:
        self.asked.append(key)
        if key not in self.values:
            # A misspelt key is better named than the missing one that it stands for.
            others = [k for k in self.values if k not in self.asked]
            close = get_close_matches(key, others, n=1)
            raise self._wrong(key, "is missing", f"did you mean `{close[0]}`?" if close else "")
        return self.values[key]

    def _path(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _wrong(self, key: str, message: str, note: str = "") -> BoardError:
        return BoardError(self.file, self._path(key), message, note)

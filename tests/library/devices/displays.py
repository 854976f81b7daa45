"""What is to be seen on displays that were given these bytes: a second opinion, after their data sheets."""

from __future__ import annotations


def writes(listened: bytes) -> list[bytes]:
    """What a listener has heard, write by write."""
    found: list[bytearray] = []
    for mark, byte in zip(listened[::2], listened[1::2], strict=True):
        if mark == 2:
            found.append(bytearray())
        if mark:
            found[-1].append(byte)
    return [bytes(w) for w in found]


ARGUMENTS = {0x20: 1, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}


class Points:
    """An SSD1306 that is written page by page."""

    def __init__(self) -> None:
        self.memory = [bytearray(b"\x55" * 128) for _ in range(8)]
        self.page = self.column = 0
        self.on = self.charged = False
        self.missing = bytearray()

    def take(self, write: bytes) -> None:
        rest = write
        while rest:
            control, rest = rest[0], rest[1:]
            assert control & 0x3F == 0
            part, rest = (rest[:1], rest[1:]) if control & 0x80 else (rest, b"")
            for byte in part:
                if control & 0x40:
                    self.memory[self.page][self.column] = byte
                    self.column = (self.column + 1) % 128
                else:
                    self.missing.append(byte)
                    if len(self.missing) > ARGUMENTS.get(self.missing[0], 0):
                        self.command(*self.missing)
                        self.missing = bytearray()

    def command(self, code: int, argument: int = 0) -> None:
        if code < 0x20:
            self.column = self.column & 0xF0 | code if code < 0x10 else (code & 7) << 4 | self.column & 15
        elif 0xB0 <= code < 0xB8:
            self.page = code - 0xB0
        elif code == 0x20:
            assert argument == 2
        elif code == 0x8D:
            self.charged = argument == 0x14
        elif code >> 1 == 0xAE >> 1:
            self.on = code == 0xAF

    def picture(self, page: int, columns: int) -> list[str]:
        assert self.on and self.charged
        return [
            "".join(".#"[self.memory[page][c] >> line & 1] for c in range(columns)).rstrip(".") for line in range(8)
        ]


class Characters:
    """A HD44780 behind a PCF8574, twenty columns."""

    def __init__(self) -> None:
        self.rows = {0: [" "] * 40, 0x40: [" "] * 40}
        self.at = self.pins = 0
        self.wide, self.on = True, False
        self.upper: int | None = None

    def take(self, write: bytes) -> None:
        for pins in write:
            if self.pins & 4 and not pins & 4:
                self.half(self.pins >> 4, text=bool(self.pins & 1))
            self.pins = pins

    def half(self, value: int, *, text: bool) -> None:
        if self.wide:
            self.byte(value << 4, text=False)
        elif self.upper is None:
            self.upper = value
        else:
            upper, self.upper = self.upper, None
            self.byte(upper << 4 | value, text=text)

    def byte(self, value: int, *, text: bool) -> None:
        if text:
            self.rows[self.at & 0x40][self.at & 0x3F] = chr(value)
            self.at += 1
        elif value & 0x80:
            self.at = value & 0x7F
        elif value >> 5 == 1:
            self.wide = bool(value & 0x10)
        elif value >> 3 == 1:
            self.on = bool(value & 4)
        elif value == 1:
            self.__init__()  # type: ignore[misc]
            self.wide = False

    def shown(self) -> list[str]:
        assert self.on and self.pins & 8 and self.upper is None
        upper, lower = "".join(self.rows[0]), "".join(self.rows[0x40])
        return [row.rstrip() for row in (upper[:20], lower[:20], upper[20:], lower[20:])]

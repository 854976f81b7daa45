"""The errors of an image that cannot be made."""

from __future__ import annotations


class ImageError(Exception):
    """`message` says what failed; `detail` is what the tool said, line by line."""

    def __init__(self, message: str, detail: str = "") -> None:
        self.message = message
        self.detail = detail
        super().__init__(message + (f"\n{detail}" if detail else ""))


class TooLarge(ImageError):
    """The program needs more memory than the board has; `elf` is its image for one that has enough."""

    def __init__(self, message: str, detail: str, elf: bytes) -> None:
        super().__init__(message, detail)
        self.elf = elf

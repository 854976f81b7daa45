"""The error of an image that cannot be made. Imports nothing of the project."""

from __future__ import annotations


class ImageError(Exception):
    """`message` says what failed; `detail` is what the tool said, line by line."""

    def __init__(self, message: str, detail: str = "") -> None:
        self.message = message
        self.detail = detail
        super().__init__(message + (f"\n{detail}" if detail else ""))

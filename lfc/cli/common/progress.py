"""How far something has come: a bar on a terminal, a line for each stage elsewhere."""

from __future__ import annotations

import sys

from lfc.base.notices import draw

WIDTH = 30


class Bar:
    def __init__(self, shown: bool) -> None:
        self._shown = shown
        self._terminal = shown and sys.stderr.isatty()
        self._stage = ""
        self._drawn = ""

    def show(self, stage: str, done: int, total: int) -> None:
        if not self._shown:
            return
        if not self._terminal:
            if stage != self._stage:
                print(f"{stage}: {total} bytes", file=sys.stderr)
            self._stage = stage
            return
        filled = WIDTH * done // max(total, 1)
        drawn = f"\r{stage:6} [{'#' * filled}{' ' * (WIDTH - filled)}] {done}/{total}"
        if drawn != self._drawn:
            draw(sys.stderr, drawn)
        self._drawn = drawn

    def finished(self) -> None:
        """The bar gives way to what is said next."""
        if self._terminal and self._drawn:
            draw(sys.stderr, f"\r{' ' * len(self._drawn)}\r")
        self._drawn = ""

    def interrupted(self) -> None:
        """The bar stays, to show how far it came."""
        if self._terminal and self._drawn:
            print(file=sys.stderr)
        self._drawn = ""

"""Lays a document out in lines of at most WIDTH characters where that is possible."""

from __future__ import annotations

from lfc.syntax.format.document import Document, Group, Indent, Line, Piece, Space, Word

WIDTH = 100
_NO_SPACE_BEFORE = frozenset(";,)]}")
_NO_SPACE_AFTER = frozenset(" ([{")


class Layout:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = ""
        self.after_comment = False
        self.line_must_end = False  # a comment ended its line in the source
        self.tail: tuple[int, int] | None = None  # where the comments at the end of this line begin, here and there
        self.tails: dict[int, tuple[int, int]] = {}  # by the number of a finished line

    def lay_out(self, document: Document) -> str:
        stack: list[tuple[int, bool, Document]] = [(0, False, document)]  # indentation, on one line
        while stack:
            indent, flat, d = stack.pop()
            if isinstance(d, list):
                stack.extend((indent, flat, inner) for inner in reversed(d))
            elif isinstance(d, Word):
                self._word(d, indent, flat)
            elif isinstance(d, Space):
                if self.line.strip():
                    self.line += " "
            elif isinstance(d, Indent):
                stack.append((indent + d.by, flat, d.content))
            elif isinstance(d, Group):
                on_one_line = flat or (not d.broken and self._fits(d.content, stack))
                stack.append((indent, on_one_line, d.content))
            elif flat and not d.hard and not self.line_must_end:
                self.line += " "
            else:
                self._end_line(d, indent)
        self._finish_line()
        self._align_tails()
        while self.lines and not self.lines[-1]:
            self.lines.pop()
        return "\n".join(self.lines) + "\n"

    # --- lines -----------------------------------------------------------------------------------------------------

    def _finish_line(self) -> None:
        if self.tail is not None:
            self.tails[len(self.lines)] = self.tail
        self.lines.append(self.line.rstrip())
        self.line = ""
        self.tail = None
        self.after_comment = self.line_must_end = False

    def _align_tails(self) -> None:
        """Comments at the ends of lines one below the other stay so if they were."""
        group: list[int] = []
        for number in [*self.tails, -1]:
            if group and (number != group[-1] + 1 or self.tails[number][1] != self.tails[group[0]][1]):
                column = max(self.tails[n][0] for n in group)
                for n in group:
                    at = self.tails[n][0]
                    self.lines[n] = self.lines[n][:at] + " " * (column - at) + self.lines[n][at:]
                group = []
            group.append(number)

    def _new_line(self, indent: int, blank: bool) -> None:
        """The line is finished if there is anything on it."""
        if self.line.strip():
            self._finish_line()
        if blank and self.lines and self.lines[-1]:
            self.lines.append("")
        self.line = " " * indent

    def _end_line(self, line: Line, indent: int) -> None:
        word = line.next_word
        blank = False
        if word is not None and line.keeps_blank:
            blank = word.before[0].blank_before if word.before else word.blank_before
        self._new_line(indent, blank)
        if word is not None and word.text:
            self._pieces(word, indent)

    # --- words and comments ----------------------------------------------------------------------------------------

    def _word(self, word: Word, indent: int, flat: bool) -> None:
        if not word.text:
            for piece in word.before:
                self._new_line(indent, piece.blank_before)
                self._comment(piece.text, piece.column)
                self.line_must_end = True
            return
        self._pieces(word, indent)
        text = word.flat_text if flat and word.flat_text is not None else word.text
        if self.after_comment and self.line[-1:] != " " and text[0] not in _NO_SPACE_BEFORE:
            self.line += " "
        self.line += text
        self.after_comment = self.line_must_end = False
        self.tail = None
        if word.after and word.ends_line and not any("\n" in comment for comment, _ in word.after):
            self.tail = len(self.line) + 1, word.after[0][1]
        for comment, column in word.after:
            self._comment(comment, column)
            self.line_must_end = word.ends_line

    def _pieces(self, word: Word, indent: int) -> None:
        """The comments before a word, unless they were printed when its line began."""
        pieces, word.before = word.before, []
        ended = False
        for piece in pieces:
            if piece.starts_line or ended:
                self._new_line(indent, piece.blank_before and ended)
            self._comment(piece.text, piece.column)
            ended = piece.own_line
        if ended:
            self._new_line(indent, word.blank_before)

    def _comment(self, text: str, column: int) -> None:
        if self.line.strip() and self.line[-1] not in _NO_SPACE_AFTER:
            self.line += " "
        first, *others = _moved(text, len(self.line) - column)
        self.line += first
        for other in others:
            self.lines.append(self.line.rstrip())
            self.line = other
        self.after_comment = True

    # --- fitting ---------------------------------------------------------------------------------------------------

    def _fits(self, content: Document, rest: list[tuple[int, bool, Document]]) -> bool:
        """Whether the content fits on this line, with what follows up to where the line can end."""
        left = WIDTH - len(self.line)
        must_be_flat = True
        stack: list[Document] = [content]
        upcoming = len(rest)
        flat = True
        while left >= 0:
            if not stack:
                if not upcoming:
                    return True
                upcoming -= 1
                must_be_flat = False
                _, flat, following = rest[upcoming]
                stack.append(following)
            d = stack.pop()
            if isinstance(d, list):
                stack.extend(reversed(d))
            elif isinstance(d, Word):
                if any(p.own_line for p in d.before):
                    return not must_be_flat
                left -= len(d.text if d.flat_text is None else d.flat_text)
                left -= sum(_width(p.text) for p in d.before)
                if d.ends_line and d.after:
                    return left >= 0
                # What stands behind a word does not count: it will be at the end of a line if one can end there.
                if any("\n" in p.text for p in d.before) or any("\n" in text for text, _ in d.after):
                    return left >= 0
            elif isinstance(d, Space):
                left -= 1
            elif isinstance(d, Indent):
                stack.append(d.content)
            elif isinstance(d, Group):
                if must_be_flat and d.broken:
                    return False
                stack.append(d.content)
            elif must_be_flat:
                if d.hard:
                    return False
                left -= 1
            elif not flat or d.hard:
                return True
            else:
                left -= 1
        return False


def _width(comment: str) -> int:
    return 1 + len(comment.split("\n", 1)[0])


def _moved(text: str, by: int) -> list[str]:
    """The lines of a comment whose first one has moved; the others move along as far as they can."""
    first, *others = text.replace("\r\n", "\n").split("\n")
    moved = [first.rstrip() if others else first]
    for line in others:
        content = line.lstrip(" ")
        indent = max(0, len(line) - len(content) + by)
        moved.append((" " * indent + content).rstrip())
    return moved


__all__ = ["WIDTH", "Layout", "Piece"]

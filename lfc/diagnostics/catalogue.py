"""Every code with its severity and title. Each has a page in `pages/`, shown by `lfc explain`. Imports nothing.

Ranges: 01xx lexical, 02xx syntax, 03xx names and modules, 04xx types, 05xx constants, 06xx processes and
communication, 07xx static checks (warnings), 08xx properties and environments, 09xx files and projects.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    severity: str  # error, warning, note
    title: str


CATALOGUE: dict[str, Entry] = {
    # 01xx lexical
    "LF0101": Entry("error", "character without a meaning"),
    "LF0102": Entry("error", "comment without an end"),
    "LF0103": Entry("error", "string without an end"),
    "LF0104": Entry("error", "malformed number"),
    "LF0105": Entry("error", "character outside of one byte"),
    "LF0106": Entry("error", "end of a comment that never began"),
    "LF0107": Entry("error", "number too large"),
    # 02xx syntax
    "LF0201": Entry("error", "something is missing"),
    "LF0202": Entry("error", "something does not belong here"),
    "LF0203": Entry("error", "one thing in place of another"),
    "LF0204": Entry("error", "misspelled keyword"),
    "LF0205": Entry("error", "END is missing"),
    "LF0206": Entry("error", "text that makes no sense"),
    "LF0207": Entry("error", "nested too deeply"),
    "LF0208": Entry("error", "port of a type without a name"),
    "LF0209": Entry("error", "declaration that gives a value"),
    "LF0210": Entry("error", "no type"),
    "LF0211": Entry("warning", "missing semicolon after the last declaration"),
    "LF0212": Entry("warning", "END without a name"),
    "LF0213": Entry("warning", "closed by another name"),
    "LF0214": Entry("warning", "missing full stop at the end"),
    "LF0215": Entry("warning", "text after the end of the module"),
    # 07xx static checks
    "LF0701": Entry("warning", "port never set"),
    "LF0702": Entry("warning", "unreachable statement"),
    "LF0703": Entry("warning", "loop without a scheduling point"),
    "LF0704": Entry("warning", "message that only SELECTs use"),
    "LF0705": Entry("warning", "message sent but never received"),
    "LF0706": Entry("warning", "message received but never sent"),
    "LF0707": Entry("note", "shared variable"),
    "LF0708": Entry("warning", "unused variable"),
    "LF0709": Entry("warning", "unused constant"),
    "LF0710": Entry("warning", "unused type"),
    "LF0711": Entry("warning", "unused import"),
    "LF0712": Entry("warning", "unused process"),
    "LF0713": Entry("warning", "unused message"),
    "LF0714": Entry("note", "unused parameter"),
    "LF0715": Entry("warning", "variable assigned but never read"),
    "LF0716": Entry("warning", "guard that reads a shared variable"),
    "LF0717": Entry("warning", "CASE that misses values"),
    "LF0718": Entry("warning", "FOR variable changed in its body"),
    "LF0720": Entry("note", "number of instances assumed"),
    "LF0721": Entry("note", "depth of calls assumed"),
    "LF0722": Entry("note", "number of channels assumed"),
    "LF0723": Entry("error", "too many processes"),
    "LF0724": Entry("error", "too many channels"),
    # 09xx files and projects
    "LF0901": Entry("error", "no such file"),
    "LF0902": Entry("error", "a folder where a file is expected"),
    "LF0903": Entry("error", "unreadable file"),
    "LF0904": Entry("error", "binary file"),
    "LF0905": Entry("error", "empty file"),
    "LF0906": Entry("warning", "text that is not UTF-8"),
    "LF0907": Entry("error", "file too large"),
    "LF0908": Entry("error", "file cannot be written"),
    "LF0909": Entry("error", "layout would lose bytes"),
}

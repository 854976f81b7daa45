"""Sends one input through everything in the front end, and holds the results against what must always be true."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.reading import decode_source
from lfc.diagnostics.render_json import render_json
from lfc.diagnostics.render_sarif import render_sarif
from lfc.diagnostics.render_text import render_text
from lfc.front_end.format_files import difference
from lfc.front_end.load import check_source
from lfc.syntax.format import format_module
from lfc.syntax.grammar.tree import same_tree
from lfc.syntax.parser import parse_module
from tests.conftest import ROOT

MODULES: dict[str, bytes] = {
    "CircleA.lf": b"MODULE CircleA;\nIMPORT CircleB;\nCONST c* = CircleB.c;\nEND CircleA.\n",
    "CircleB.lf": b"MODULE CircleB;\nIMPORT CircleC;\nCONST c* = CircleC.c;\nEND CircleB.\n",
    "CircleC.lf": b"MODULE CircleC;\nIMPORT CircleA;\nCONST c* = CircleA.c;\nEND CircleC.\n",
    "Own.lf": b"MODULE Own;\nIMPORT Own;\nEND Own.\n",
    "Broken.lf": b"MODULE Broken; VAR x INTEGER; BEGIN x := ; END Broken.\n",
    "Empty.lf": b"",
    "Binary.lf": b"\x7fELF\0\0\x01",
    "Latin.lf": b'MODULE Latin; (* f\xfcr *)\nCONST s* = "\xff";\nEND Latin.\n',
    "Misnamed.lf": b"MODULE Named;\nEND Named.\n",
    "World.lf": b"ENVIRONMENT MODULE World;\nBEGIN\nEND World.\n",
    "Deep.lf": b"MODULE Deep;\nCONST c* = " + b"(" * 5000 + b"1" + b")" * 5000 + b";\nEND Deep.\n",
    "Good.lf": b"MODULE Good;\nCONST c* = 1;\nTYPE T* = ARRAY 2 OF CHAR;\nVAR v* : T;\n"
    b"PROCESS P*(VAR x : T);\nEND P;\nEND Good.\n",
}


def write_modules(folder: Path) -> None:
    """What inputs may import: circles, broken files, folders and links in the place of files."""
    for name, content in MODULES.items():
        (folder / name).write_bytes(content)
    (folder / "Folder.lf").mkdir()
    (folder / "Round.lf").symlink_to("Round.lf")


def seed_programs() -> list[str]:
    """Every LF program of the project: examples, corpus, library and the pages' examples."""
    rooms = ["examples", "tests/corpus", "lfc/library"]
    files = sorted(f for room in rooms for f in (ROOT / room).rglob("*.lf") if f.is_file())
    texts = [f.read_bytes().decode("utf-8", errors="replace") for f in files]
    for page in sorted((ROOT / "lfc" / "diagnostics" / "pages").glob("*.md")):
        texts += re.findall(r"^```lf\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [t for t in texts if len(t) < 20_000]


VALUES = """0 -1 3 1.5 TRUE 'x' "text" {1} [1,2] 4294967295 ( 1+ N MAX(INT8) -1.0..1.0""".split()


def definitions_of(source: Source) -> dict[str, str]:
    """As `-D` gives them: other values of constants of the text, of an imported module, and of what there is not."""
    names = re.findall(r"\b([A-Za-z]\w*)\s*(?::[^;=]*)?=", source.text[:5000])[:3]
    places = [*names, "Good.c", "Fuzz.nothing", "nothing.at.all"]
    return {name: VALUES[(len(source.text) + k) % len(VALUES)] for k, name in enumerate(places)}


def drive(content: bytes, folder: Path, *, as_environment: bool = False) -> None:
    """Any exception out of here is a failure. `folder` was filled by `write_modules`. A third of the texts is
    checked with other values of their constants, too."""
    read = Diagnostics()
    decode_source("Fuzz.lf", content, read)
    show(read)
    # Past what reading refuses: the stages themselves must stand NUL characters and empty texts.
    source = Source(str(folder / "Fuzz.lf"), content.decode("utf-8-sig", errors="replace"))
    format_and_compare(source)
    diagnostics = Diagnostics()
    if as_environment:
        main = Source.read(ROOT / "examples" / "traffic.lf")
        program = check_source(main, diagnostics, path=[folder], environments=[source])
    else:
        program = check_source(source, diagnostics, path=[folder])
    if program is not None and not diagnostics.has_errors:
        build_machine(program, diagnostics)
    show(diagnostics)
    if len(content) % 3 == 0 and not as_environment:
        others = Diagnostics()
        check_source(source, others, path=[folder], definitions=definitions_of(source))
        show(others)


def format_and_compare(source: Source) -> None:
    diagnostics = Diagnostics()
    module = parse_module(source, diagnostics)
    show(diagnostics)
    if diagnostics.has_errors:
        return
    formatted = format_module(module)
    again = Diagnostics()
    module_again = parse_module(Source("Formatted.lf", formatted), again)
    assert not again.has_errors, "the formatted text does not parse"
    # What warnings speak of, and small truth values, the canonical layout puts right.
    if not diagnostics.items and not re.search(r"\b(true|false)\b", source.text):
        assert same_tree(module, module_again), "the formatted text has another tree"
    assert format_module(module_again) == formatted, "formatting twice gives another text"
    difference(source, formatted)


def show(diagnostics: Diagnostics) -> None:
    """Every rendering; and every span lies in its source."""
    for d in diagnostics.items:
        check_span(d.span)
        for note in d.notes:
            if note.span is not None:
                check_span(note.span)
        if d.fix is not None:
            check_span(d.fix.span)
    text = render_text(diagnostics, max_shown=20)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text), "a control character on the terminal"
    render_text(diagnostics, color=True, width=40, max_shown=5)
    json.loads(render_json(diagnostics))
    json.loads(render_sarif(diagnostics))


def check_span(span: Span) -> None:
    assert 0 <= span.start <= span.end <= len(span.source.text), (
        f"a span outside of its source: {span.start}, {span.end}"
    )

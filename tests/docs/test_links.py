"""docs/README.md lists every page, every link leads to a page and a heading, every file that is named exists."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

TOP = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
PAGES = [ROOT / name for name in TOP if (ROOT / name).exists()] + sorted((ROOT / "docs").rglob("*.md"))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
ROOMS = "lfc|mcheck|boards|runtime|tests|bench|docs|examples"
PATH = re.compile(rf"`((?:{ROOMS})/[\w./-]+)`")


def text_of(page: Path) -> str:
    """Without blocks of code, in which brackets mean something else."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def links_of(page: Path) -> list[str]:
    return [link for link in LINK.findall(text_of(page)) if "://" not in link]


@cache
def anchors_of(page: Path) -> set[str]:
    """As code hosts make them of headings."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            dead.append(link)
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_are_named_exist(page: Path) -> None:
    assert [path for path in PATH.findall(text_of(page)) if not (ROOT / path).exists()] == []


def test_the_index_lists_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {(index.parent / link.partition("#")[0]).resolve() for link in links_of(index)}
    assert [p.relative_to(ROOT).as_posix() for p in PAGES if p.parent != ROOT and p != index and p not in listed] == []


def test_comments_name_pages_that_exist() -> None:
    """And so do messages: `docs/...md`, anywhere in the sources."""
    files = [
        f for room in ROOMS.split("|") for s in ("py", "c", "h", "toml", "lf") for f in (ROOT / room).rglob(f"*.{s}")
    ]
    named = {
        (f, page)
        for f in files
        for page in re.findall(r"docs/[\w/-]+\.md", f.read_text(encoding="utf-8", errors="replace"))
    }
    assert len(named) > 20
    assert [(f.relative_to(ROOT).as_posix(), page) for f, page in named if not (ROOT / page).exists()] == []

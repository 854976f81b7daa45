"""The documentation as a site: it builds without a warning, has every page, and fetches nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from release.site_hooks import with_links_of_the_site
from tests.conftest import ROOT

PAGES = {"README.md", "how-to/install.md", "project/contributing.md", "pictures/p.png"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)],  # -q would hide warnings
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder


def test_every_page_is_in_it(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        assert (site / ("index.html" if name == "README.html" else name)).is_file(), name


def test_it_works_without_a_network(site: Path) -> None:
    """Search too: its index is a script, which a page may load from a folder."""
    fetched = re.compile(r"""<(?:script|img|link rel="(?:stylesheet|preload)")[^>]*(?:src|href)="?(https?:)""")
    for page in site.rglob("*.html"):
        assert not fetched.search(page.read_text(encoding="utf-8")), page
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert "lamp that cannot hang" in index


def test_programs_are_coloured(site: Path) -> None:
    page = (site / "tutorial" / "first-steps.html").read_text(encoding="utf-8")
    assert re.search(r'<span class="k\w*">MODULE</span>', page)


@pytest.mark.parametrize(
    ("text", "page", "expected"),
    [
        ("[x](../how-to/install.md#b)", "tutorial/t.md", "[x](../how-to/install.md#b)"),
        ("[x](../../CONTRIBUTING.md)", "tutorial/t.md", "[x](../project/contributing.md)"),
        ("[x](docs/how-to/install.md)", "project/contributing.md", "[x](../how-to/install.md)"),
        ("[x](docs)", "project/contributing.md", "[x](../README.md)"),
        (
            "see [x.lf](../../examples/x.lf), [y](https://example.org)",
            "how-to/b.md",
            "see x.lf, [y](https://example.org)",
        ),
        ("![p](../pictures/p.png)", "how-to/b.md", "![p](../pictures/p.png)"),
        ("```\n[x](../../examples/x.lf)\n```", "how-to/b.md", "```\n[x](../../examples/x.lf)\n```"),
    ],
)
def test_links_are_those_of_the_site(text: str, page: str, expected: str) -> None:
    assert with_links_of_the_site(text, page, PAGES) == expected

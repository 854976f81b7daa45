"""Makes the documentation's pages pages of a site: what `mkdocs.yml` names as its hooks.

Files beside the folder of the documentation become pages too. A link to what is no page, a source or an example, is
its text alone: the site has no copy of it.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BESIDE = {
    "README.md": "project/overview.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changes.md",
    "SECURITY.md": "project/security.md",
}
SHIM_FILE = Path(__file__).with_name("site_worker.js")
SHIM = re.compile(r'<script src="?https://unpkg\.com/iframe-worker/shim"?></script>')
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for name, page in BESIDE.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_post_page(output: str, page: Any, config: Any) -> str:
    return without_shim(output)


def on_post_template(output: str, template_name: str, config: Any) -> str:
    return without_shim(output)


def without_shim(html: str) -> str:
    """Instead of what the theme would fetch from elsewhere, so that a folder can be searched."""
    return SHIM.sub(lambda _: f"<script>{SHIM_FILE.read_text(encoding='utf-8')}</script>", html)


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    return with_links_of_the_site(markdown, page.file.src_uri, {f.src_uri for f in files})


def with_links_of_the_site(markdown: str, page: str, pages: set[str]) -> str:
    """Blocks of code stay as they are."""
    parts, at = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [relinked(markdown[at : fence.start()], page, pages), fence[0]]
        at = fence.end()
    return "".join([*parts, relinked(markdown[at:], page, pages)])


def relinked(text: str, page: str, pages: set[str]) -> str:
    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        path, mark, anchor = target.partition("#")
        if "://" in target or not path:
            return found[0]
        there = page_of(posixpath.normpath(posixpath.join(posixpath.dirname(source_of(page)), path)))
        if there not in pages:
            return str(words)
        return f"[{words}]({posixpath.relpath(there, posixpath.dirname(page) or '.')}{mark}{anchor})"

    return LINK.sub(link, text)


def source_of(page: str) -> str:
    """From the root of the project."""
    return next((name for name, p in BESIDE.items() if p == page), f"docs/{page}")


def page_of(source: str) -> str:
    """Empty: there is none."""
    if source == "docs":
        return "README.md"
    return BESIDE.get(source) or (source.removeprefix("docs/") if source.startswith("docs/") else "")

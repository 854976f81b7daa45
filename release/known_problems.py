"""Makes the page of known problems of the file of the records' room: python -m release.known_problems"""

from __future__ import annotations

from pathlib import Path

from lfc.records.known_problems import AFFECTS, Problem, known_problems

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "known-problems.md"
HEAD = """# Known problems

Made of `lfc/records/known_problems.toml` by `python -m release.known_problems`. `lfc evidence` lists those that its
version has and that bear on what is proved. A problem that is not here is a bug that nobody knows: please report it
([SECURITY.md](../../SECURITY.md) says how, if it is one of safety or security).

"""


def page(problems: list[Problem]) -> str:
    return HEAD + "\n".join(section(p) for p in problems)


def section(p: Problem) -> str:
    versions = f"since {p.since}" + (f", mended in {p.until}" if p.until else "")
    return f"## {p.id}: {p.title}\n\n{versions}; {AFFECTS[p.affects]}\n\n{p.what}\n\n**Instead:** {p.instead}\n"


if __name__ == "__main__":
    PAGE.write_text(page(known_problems()), encoding="utf-8")

"""Every one-token deletion, swap of neighbours and misspelling in every example and every right program of the corpus.

    python -m tests.campaign.front_end.mutate_tokens [--whole] [--share 0.1] [--seed 1] [--list] [file ...]

Prints how often the first error lies within one line of the change, and fails (exit status 1) below the bar of 90 % or
when a change brings more than five errors. `--whole` checks types and names too, not only the syntax.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostic, Diagnostics
from lfc.front_end.load import check_source
from tests.conftest import ROOT
from tests.support.seeds import add_seed
from tests.syntax.mutations import measure, mutations_of, sampled, syntax_errors


def all_errors(source: Source) -> list[Diagnostic]:
    """What the whole front end says about this file (not about those that it imports)."""
    diagnostics = Diagnostics()
    check_source(source, diagnostics, path=[Path(source.path).parent])
    return [d for d in diagnostics.items if d.span.source is source]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--whole", action="store_true", help="names and types, too")
    parser.add_argument("--share", type=float, default=1.0, help="of the mutations, chosen by chance")
    add_seed(parser)
    parser.add_argument("--list", action="store_true", help="list the mutations whose first error is far")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    usual = [*(ROOT / "examples").glob("*.lf"), *(ROOT / "tests" / "corpus" / "right").rglob("*.lf")]
    files = options.files or sorted(usual)
    chance = random.Random(options.seed)
    mutations = (m for path in files for m in sampled(mutations_of(path, chance), options.share, chance))
    result = measure(mutations, all_errors if options.whole else syntax_errors)
    print(f"{len(files)} programs, seed {options.seed}, share {options.share}")
    print(result.table())
    if options.list:
        for mutation, error in result.far_ones:
            print(f"far: {mutation.path}:{mutation.first_line}: {mutation.kind} of {mutation.what}: {error.span.line}")
    for mutation, count in result.chatty:
        print(f"{count} errors: {mutation.path}:{mutation.first_line}: {mutation.kind} of {mutation.what}")
    return 0 if result.holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

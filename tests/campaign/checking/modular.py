"""Random programs of clusters, and of processes that choose with whom they speak: modular exploration gives a verdict
of the full search.

    python -m tests.campaign.checking.modular [--count N] [--seed FIRST]
"""

from __future__ import annotations

import argparse
from collections import Counter

from lfc.mcheck.check import check
from lfc.mcheck.request.bounds import NotModular
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.finding import Verdict
from tests.generate.recipes import text_of
from tests.support.searched import machine_from
from tests.support.seeds import add_seed, parsed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    add_seed(parser, 0)
    options = parsed(parser)
    verdicts: Counter[str] = Counter()
    fewer = 0
    for seed in range(options.seed, options.seed + options.count):
        text = text_of("choosing" if seed % 2 else "clustered", seed)
        machine = machine_from(text)
        whole = check(machine, request_from(threads=1, states=20_000, keep_going=True))
        if whole.verdict == "inconclusive":
            verdicts["too large"] += 1
            continue
        try:
            modular = check(machine, request_from(threads=1, strategy="modular"))
        except NotModular:
            verdicts["without modules"] += 1
            continue
        there = {f.kind for f in whole.findings} or {Verdict.HOLDS}  # which is met first may differ
        if modular.verdict not in there:
            print(f"seed {seed}: {', '.join(there)}, but in modules {modular.verdict}\n{text}")
            return 1
        verdicts[whole.verdict] += 1
        fewer += modular.states < whole.states
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items())), f"; {fewer} with fewer states")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

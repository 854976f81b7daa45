"""Runs tests of the checker with an engine that a sanitizer watches.

For example: python -m tests.sanitizers thread tests/mcheck/search/test_spill.py -k from_disk
"""

from __future__ import annotations

import sys

from tests.sanitizers.building import SANITIZERS
from tests.sanitizers.running import run_tests


def main(arguments: list[str]) -> int:
    if len(arguments) < 2 or arguments[0] not in SANITIZERS:
        print(f"usage: python -m tests.sanitizers {{{','.join(SANITIZERS)}}} ARGUMENTS-OF-PYTEST...", file=sys.stderr)
        return 2
    watched = run_tests(SANITIZERS[arguments[0]], *arguments[1:])
    print(watched)
    return 0 if watched.clean else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

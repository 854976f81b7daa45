"""Object code that is loaded into this process."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

COLLECTED_WITHIN = """
import gc
import lfc.run.load_code as loading

def numbers():
    for n in range(1000, 2000):
        gc.collect()  # as it may come anywhere
        yield n

gc.disable()
kept = [loading.LoadedCode([], ["malloc"])]
kept.append(kept)  # only a collection frees it
del kept
loading._NUMBERS = numbers()
print(loading.LoadedCode([], ["malloc"])["malloc"] != 0)
"""


def test_code_that_a_collection_frees_while_other_code_is_loaded() -> None:
    """It was waited for the lock that the same thread held."""
    done = subprocess.run(
        [sys.executable, "-c", COLLECTED_WITHIN], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "True\n"

"""`python -m lfc` is `lfc`."""

import os
import sys

# Python puts the working directory first, where a project may have modules with the names of others. None of them is
# run; but where this package itself lies, the rest of it does too.
OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if sys.path and not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()) and sys.path[0] != OURS:
    del sys.path[0]

from lfc.cli.main import script  # noqa: E402

script()

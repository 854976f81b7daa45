"""`python -m lfc` is `lfc`. Imports the command line."""

from lfc.cli.main import main

main()

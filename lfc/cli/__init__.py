"""The command line: a thin skin, one file per command. May import everything; everything heavy lazily."""

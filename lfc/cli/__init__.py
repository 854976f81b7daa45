"""The command line: a thin skin over the rooms below; here the table of commands."""

"""Undetermined data: states whose values are sets, executed from the IR that ships. docs/theory/data.md defines it."""

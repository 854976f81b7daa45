"""Explicit state graphs in Python: export and interactive exploration."""

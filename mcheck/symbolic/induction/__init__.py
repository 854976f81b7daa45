"""Induction after a search with ranges: k-induction, and lemmas that IC3 finds. docs/theory/induction.md argues."""

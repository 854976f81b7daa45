"""Formulas of linear temporal logic and the automata that they become. docs/theory/automata.md describes them."""

"""Formulas of linear temporal logic and the automata that they become. docs/temporal.md describes them."""

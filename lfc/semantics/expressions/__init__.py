"""Typing of expressions: constants, conversions, operators, designators, functions."""

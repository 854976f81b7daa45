"""Typing of statements: assignment, control, communication, calls."""

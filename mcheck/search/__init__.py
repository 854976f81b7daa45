"""Searches by the engine: set up, run, read."""

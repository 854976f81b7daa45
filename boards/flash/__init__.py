"""Flashing: one file for each protocol."""

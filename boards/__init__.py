"""Boards: their descriptions, flashing, serial monitor. May import: `lfc`, traces of `lfc.mcheck`."""

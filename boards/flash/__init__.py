"""Flashing: one file for each protocol, on any serial port. May import: `lfc.boards.board`."""

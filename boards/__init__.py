"""Boards: what they are, and the devices that reach them. Its rooms are the ways in."""

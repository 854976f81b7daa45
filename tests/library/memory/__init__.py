"""Memories of the chip that are kept without power."""

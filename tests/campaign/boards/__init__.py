"""Campaigns of boards and images: emulated, damaged, mutated."""

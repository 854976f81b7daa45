"""Verdicts where one writes: what is claimed in a text, and checks in processes that can be killed."""

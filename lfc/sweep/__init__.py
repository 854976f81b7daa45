"""Sweeps: every configuration of a program against everything that is checked of it, and which features interfere."""

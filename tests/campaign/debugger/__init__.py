"""Campaigns of the debugger: runs by chance, there and back."""

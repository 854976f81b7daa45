"""The kernel in C, as data: its sources are found with importlib.resources. Holds no Python."""

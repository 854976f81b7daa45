"""C that is linked in: its header, and how it is compiled."""

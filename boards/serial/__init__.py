"""Serial ports of this machine and what a board says on its console."""

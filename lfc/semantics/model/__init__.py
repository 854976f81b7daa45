"""The typed program, its types, and visits of both: what later stages read."""

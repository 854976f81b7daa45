"""Random programs, as source text, each a function of its seed."""

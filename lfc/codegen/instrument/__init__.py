"""Code that only the checker or the host asks for: inputs split, environments, rounds, clock."""

"""Symbolic execution of the host IR (King 1976): decoded code, interpreted on blocks that hold terms."""

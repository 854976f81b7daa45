"""Distributed search: the ranks of a breadth-first search, each with the states that a hash gives it, joined by MPI."""

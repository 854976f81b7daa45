"""Distributed searches against those of one process, and against the naive explorer: under mpiexec, many in one run."""

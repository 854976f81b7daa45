"""Symmetry reduction over slots, channels and scalarsets (Ip and Dill 1996)."""

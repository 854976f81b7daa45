"""Modular exploration (Christensen and Petrucci 2000): modules searched apart, joined where they synchronise."""

"""Refinement: what a program does on named ports, compared with a specification (Hoare 1985; Roscoe 1997)."""

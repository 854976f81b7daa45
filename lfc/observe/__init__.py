"""Watching boards in the field: the properties of their program, judged while they run. Runtime verification (Bauer,
Leucker and Schallhart, *Runtime verification for LTL and TLTL*, 2011).
"""

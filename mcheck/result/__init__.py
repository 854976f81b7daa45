"""What a check found, as data: its verdict, counterexamples and counts."""

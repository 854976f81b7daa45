"""Properties over undetermined data: products with automata, cycles, and runs that are made concrete."""

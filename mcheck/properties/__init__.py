"""Properties of infinite runs: the product with automata, fairness, lassos, vacuity."""

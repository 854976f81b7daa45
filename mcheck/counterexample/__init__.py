"""From an error of a search to a counterexample: replay, explanation."""

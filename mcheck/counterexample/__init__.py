"""From an error of a search to a counterexample: replay, explanation, wait-for graph."""

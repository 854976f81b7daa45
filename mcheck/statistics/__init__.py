"""Coverage and statistics of a search."""

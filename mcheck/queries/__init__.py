"""Questions to a stored state graph: branching-time logic (CTL), shortest paths, ends, counts."""

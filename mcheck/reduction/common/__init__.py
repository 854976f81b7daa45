"""What all reductions have in common: the interface, and what a request makes of each."""

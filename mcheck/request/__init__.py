"""What is asked of a check, and what is assumed: one frozen value, from the command line to the engine."""

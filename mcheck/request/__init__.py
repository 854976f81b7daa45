"""What is asked of a check, and what is assumed."""

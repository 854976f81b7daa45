"""Programs with formulas, and what is treated fairly in them."""

"""Code of expressions, designators and the atoms of formulas."""

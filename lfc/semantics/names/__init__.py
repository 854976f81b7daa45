"""Scopes, predeclared names, and reports of names that nothing declares."""

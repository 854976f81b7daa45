"""Certificates: evidence that a property holds, and the small program that validates it."""

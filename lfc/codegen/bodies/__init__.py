"""Code of bodies: statements, attempts, calls, frames."""

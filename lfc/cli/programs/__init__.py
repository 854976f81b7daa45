"""Commands about a program's text, layout, size and build."""

"""Commands of a system's boards, all at once: run them, and compare them with the composition."""

"""The debugger as a screen of a terminal: text, processes, variables, what can happen, and keys for all of it."""

"""The one binding to the engine in C."""

"""Commands that check: states, properties, traces, timing, records."""

"""Commands that check: states, properties, configurations, times."""

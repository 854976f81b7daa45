"""Programs about what single values come to."""

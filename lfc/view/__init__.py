"""Pictures of a run: one HTML page that needs no server, and files for the viewers of others."""

"""A program's states explored live: a page in the browser, and a server for it on this machine alone."""

"""Hardware in the loop: boards that tell what they do, compared with the host, or made to follow a record."""

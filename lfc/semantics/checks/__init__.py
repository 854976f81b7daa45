"""Static checks of a typed program: what is well-typed and yet looks wrong."""

"""Random well-typed programs with every construct of the language, that end after few actions."""

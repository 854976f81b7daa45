"""The model checker: from a machine and a request to a verdict."""

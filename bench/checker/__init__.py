"""The checker beside other checkers, on the same models, the same machine, in the same run."""

"""Programs with fixed channels as models of other checkers: for SPIN, for readers of BTOR2, for LTSmin."""

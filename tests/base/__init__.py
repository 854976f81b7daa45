"""The room that every other one may use."""

"""Lint of test scripts: Python tests for boards against all runs of the program that they flash."""

"""What tests of several rooms share: programs, searches, seeds, readers of results."""

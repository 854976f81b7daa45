"""The image check: machine code executed in every reachable state and compared with the program."""

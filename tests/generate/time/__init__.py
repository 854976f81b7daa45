"""Random programs that sleep, wait for a time, and ask how long ago something was."""

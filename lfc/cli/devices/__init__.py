"""Commands that run on this machine, emulators and boards."""

"""The tests mirror the rooms. `python -m pytest --update-golden` rewrites the expectations."""

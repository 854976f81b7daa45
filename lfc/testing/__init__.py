"""Tests of programs on boards, for pytest: the fixture `board`, and where the boards are."""

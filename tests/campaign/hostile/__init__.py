"""Campaigns of damage: files, checkpoints and envelopes that somebody has changed on purpose."""

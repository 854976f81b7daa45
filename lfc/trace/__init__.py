"""The record of decisions and inputs: one format for schedules, traces, the serial line and the image check."""

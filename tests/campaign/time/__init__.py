"""Campaigns of time: clocks, ages, deadlines and intervals, against naive explorers that count milliseconds."""

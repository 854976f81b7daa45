"""Test obligations, solved from the state space: decisions and their conditions (modified condition/decision coverage,
Chilenski and Miller 1994), and the conditions of properties (unique-cause coverage, Whalen and others 2006).
"""

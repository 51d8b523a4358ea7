"""Checks of an agent's work in code, before the tester reads it: each gives a fault with its reason."""

"""Checks of the ladder's items."""

"""Rank of importance: which candidates of stage 1 a user of the library wants to know of (docs/importance.md)."""

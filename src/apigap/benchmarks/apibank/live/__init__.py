"""Dialogues with the APIs live: goals, calls in a system of one's own, and what becomes of them."""

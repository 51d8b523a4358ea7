"""Dialogues as the files that training tools read."""

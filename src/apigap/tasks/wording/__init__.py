"""The words of a description: subject, purpose, and what arguments mean."""

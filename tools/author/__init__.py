"""The study of a model as author."""

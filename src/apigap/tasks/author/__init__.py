"""A model as author: what it writes, tasks and the prose of bundles, is checked like everything else."""

from apigap.tasks.author.author import Author

__all__ = ["Author"]

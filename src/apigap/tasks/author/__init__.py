"""Stage 3 with a model as author: it writes, and what it wrote is checked like everything else."""

from apigap.tasks.author.author import Author

__all__ = ["Author"]

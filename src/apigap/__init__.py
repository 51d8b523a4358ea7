"""Find, measure, explain and close the gaps in what language models know about APIs."""

__version__ = "0.1.0"

"""The study of agents."""

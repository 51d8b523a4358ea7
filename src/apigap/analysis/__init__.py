"""What an experiment says: which knowledge helps, what retrieval costs, what adaptation changes."""

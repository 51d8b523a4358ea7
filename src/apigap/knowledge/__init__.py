"""Stage 2: what one could tell a model about an API, from the release itself and nothing else."""

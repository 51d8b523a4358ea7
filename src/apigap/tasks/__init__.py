"""Stage 3: tasks whose answers can be judged by what they do."""

"""Stage 4: which tasks are valid (C1), new to the model (C2) and solvable with the knowledge (C3)."""

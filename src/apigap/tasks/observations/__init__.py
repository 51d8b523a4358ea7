"""Observations of a task: expressions that are looked at after the answer, and that are steady enough to compare."""

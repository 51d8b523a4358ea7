"""Inputs of a task: moved into its context, and changed for further scenarios."""

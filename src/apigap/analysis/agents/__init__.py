"""Agents in an analysis: curves over their budget, where they found what they needed, and where they wasted it."""

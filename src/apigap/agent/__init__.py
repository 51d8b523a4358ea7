"""A model that finds out by itself: tools, a budget, and the trace of what it did with them."""

"""An audit of a user's own tools: which are never chosen, confused or called wrongly, and what cures it."""

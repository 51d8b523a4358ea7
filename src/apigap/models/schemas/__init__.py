"""JSON schemas that a model is held to: answers that are objects, and the tools that it may call."""

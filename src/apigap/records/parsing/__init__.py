"""Python and JSON text read as trees, in the ways that are safe on text of others."""

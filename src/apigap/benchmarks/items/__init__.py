"""The ladder's items as a benchmark: single questions about new APIs and about unchanged ones like them."""

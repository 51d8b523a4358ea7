"""A benchmark of another package: sums."""

"""Benchmarks: each one an adapter with the same six methods."""

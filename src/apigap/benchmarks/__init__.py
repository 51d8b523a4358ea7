"""Benchmarks: a folder each, with one type that every verb takes; code_benchmark is what those of code share."""

"""The chain from two releases of a library to a report: each stage one file, every stage resumable."""

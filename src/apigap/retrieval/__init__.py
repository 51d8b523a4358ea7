"""Texts as vectors: a lexical embedder that is always there, and a dense one that is fetched when it is wanted."""

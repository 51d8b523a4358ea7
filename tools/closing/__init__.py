"""The study of a gap that a strong model had, closed and measured closed."""

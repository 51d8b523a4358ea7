"""Twins: the same questions about a library that nobody can know, in which a name is another, as sensible one."""

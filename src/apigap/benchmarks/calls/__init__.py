"""Calls of functions: which were to be made, with which values accepted, or that none was to be made at all."""

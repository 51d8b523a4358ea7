"""Completion of words of the command line by a shell."""

VARIABLE = "_APIGAP_COMPLETE"
"""The variable by which a shell asks what a word may become, under the name that Typer gives it."""

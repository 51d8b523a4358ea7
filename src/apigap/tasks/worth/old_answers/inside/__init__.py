"""The part of the search that runs in the sandbox: standard library only, sent there as text."""

"""The command line: parses, calls, renders. Rooms are imported inside commands, so that `--help` answers at once."""

"""The public format of the Berkeley Function-Calling Leaderboard (BFCL): its files, and its documented rules."""

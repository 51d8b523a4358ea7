"""Hand labels of the faults of calls, and what the code says of the same answers."""

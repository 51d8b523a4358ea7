"""More than one machine: the work of an engine done by the nodes of a Ray cluster, with the same verdicts."""

"""Analysis of experiments: the knowledge that helps, the cost of retrieval, the changes by adaptation."""

"""Records of single questions about APIs: those of the ladder, and of the novelty probe."""

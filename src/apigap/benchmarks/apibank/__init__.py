"""API-Bank (arXiv:2304.08244): its runnable tool APIs, and how calls of them are judged."""

"""Training dialogues as API-Bank makes them (arXiv:2304.08244, section 4): five agents, and checks in code between.

It stands beside `apibank`, whose code judges answers and is hashed as such: writing training data changes no verdict.
"""

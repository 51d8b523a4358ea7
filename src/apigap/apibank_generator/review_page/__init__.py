"""A person's look at generated dialogues, accepted and rejected side by side, in a browser."""

"""What code can tell of an agent's work, before the tester reads it: each check gives a fault with its reason."""

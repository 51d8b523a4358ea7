"""The rungs that need executed usages: what a call gives, and the call itself."""

"""Migrations without a model: usages that a release broke, and what they give with the replacement in them."""

"""Measurements of the engine, side by side with other ways to run generated code. Not part of the package."""

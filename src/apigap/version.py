"""The version of the package, in this one place: the build reads it from here, and manifests record it."""

__version__ = "0.2.0"

"""Settings as YAML: files of the package under those of the user, layers over one another."""

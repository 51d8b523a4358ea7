"""Items of the ladder: questions on what is new in a release and on matched controls, made without a model."""

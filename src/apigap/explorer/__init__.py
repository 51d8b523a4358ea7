"""The explorer: folders of runs as pages of models, libraries, rungs and APIs, which work offline and on any host."""

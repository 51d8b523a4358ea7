"""API-Bank's APIs to be used by hand, in a browser, and by any client of the Model Context Protocol."""

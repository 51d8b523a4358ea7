"""The report of an audit: plain numbers, and one HTML page that needs no network."""

"""A release: archives built and checked, licences of what is needed, the starter's data card."""

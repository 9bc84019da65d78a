"""Harvesting: copies the records of OAI-PMH providers into the store, and updates them incrementally
(docs/reference/harvesting.md)."""

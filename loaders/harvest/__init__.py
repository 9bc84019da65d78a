"""Harvesting: from providers that speak OAI-PMH into the store, incrementally and for years
(docs/reference/harvesting.md)."""

"""What a store publishes by OAI-PMH: norms of a folder or spreadsheet, and records passed on from other providers."""

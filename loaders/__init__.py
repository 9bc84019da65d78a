"""From sources (OAI-PMH records, lists of names) to entities to the store."""

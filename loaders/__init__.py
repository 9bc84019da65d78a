"""Reads sources, such as OAI-PMH records and lists of names, and writes their records to the store."""

"""Linked data: terms, vocabularies, queries, descriptions, and the dataset itself."""

"""Handlers that answer with a page, RDF or JSON, by what the client accepts."""

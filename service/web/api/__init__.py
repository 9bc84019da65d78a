"""API v1: the JSON documents of the command line over HTTP, and their description (OpenAPI 3.1)."""

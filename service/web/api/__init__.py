"""API v1: the JSON documents of the command line over HTTP, with a description in OpenAPI 3.1."""

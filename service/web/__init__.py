"""The service over HTTP: resolver, SPARQL endpoint, Memento, API. :func:`service.web.application.build` makes it."""

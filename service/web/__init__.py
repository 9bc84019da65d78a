"""The service over HTTP. :func:`service.web.application.build` returns it as an ASGI application.

``server`` runs the server processes, ``middleware`` has the limits, logs and metrics of requests, and ``http`` the
helpers for HTTP. ``api``, ``linked``, ``memento``, ``names``, ``oai``, ``pages``, ``resolver`` and ``sparql`` have the
handlers. ``tasks`` runs long tasks in worker processes that can be killed.
"""

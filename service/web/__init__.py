"""The service over HTTP. :func:`service.web.application.build` makes it of its rooms.

``running`` has processes, connections and doors; ``http`` what HTTP itself says; ``names``, ``memento``, ``linked``,
``api``, ``sparql`` and ``pages`` what is asked; ``tasks`` the processes that work on it and can be killed.
"""

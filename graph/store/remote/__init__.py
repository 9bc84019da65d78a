"""A graph behind an endpoint, ``oxigraph serve`` or Virtuoso, and the folder that belongs to it.

endpoint.py   the protocol: credentials, timeouts, retries, limits, answers in the engine's types
dialects.py   differences between engines
engine.py     the engine interface of graph/store over an endpoint
writing.py    the store over an endpoint, for writing
folder.py     its folder: index of names, journal, quarantine, harvests, and the copies for a service
"""

"""A graph behind an endpoint, ``oxigraph serve`` or Virtuoso, and the folder that belongs to it.

endpoint.py   the protocol: who asks, timeouts, tries, limits, answers in the engine's types
dialects.py   in what engines differ
engine.py     what graph/store asks of an engine, over an endpoint
writing.py    the store over it, for writing
folder.py     the folder beside it: index of names, journal, quarantine, harvests; what a service reads there
"""

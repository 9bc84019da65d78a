"""A graph behind an endpoint, ``oxigraph serve`` or Virtuoso, and the folder that belongs to it.

credentials.py   who asks
endpoint.py      the protocol: timeouts, tries, limits, answers that are cut
dialects.py      in what engines differ
results.py       answers as the embedded engine gives them
engine.py        what graph/store asks of an engine, over an endpoint
requests.py      operations parted into requests that an engine takes
writing.py       the store over it, for writing
folder.py        the folder beside it: index of names, journal, quarantine, harvests
serving.py       copies of the index of names for a service, one for each state
"""

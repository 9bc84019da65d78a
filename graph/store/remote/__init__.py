"""A graph behind a SPARQL endpoint, and the folder that belongs to it.

endpoint.py   the protocol: credentials, timeouts, retries, limits, answers in the engine's types
probe.py      the properties of an engine, found by a probe
engine.py     the engine interface of graph/store over an endpoint
folder.py     its folder: writes, index of names, quarantine, harvests, and the copies for a service
"""

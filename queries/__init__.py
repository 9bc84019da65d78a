"""Questions on the graph: typed answers, and the queries (.rq files) that they use.

>>> from graph.store import in_memory
>>> from queries.in_force import in_force
>>> answer = in_force(in_memory(), "urn:lex:br:federal:lei:1990-09-11;8078", on="1993-06-15", as_known="2007-01-09")
>>> answer.status.value
'unknown-name'
"""

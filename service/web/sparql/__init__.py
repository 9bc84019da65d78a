"""The SPARQL endpoint: SPARQL 1.1 Protocol, read only, over the union of all graphs."""

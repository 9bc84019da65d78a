"""The graph: names, entities, time, their mapping to RDF, and the store that holds it."""

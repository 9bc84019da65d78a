"""Terms, vocabularies and closed namespaces; imports nothing of ours."""

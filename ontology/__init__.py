"""Terms, vocabularies and closed namespaces; imports no other package of Vigente."""

"""Names of the ``lex`` namespace: three dialects in, one frozen value out. See docs/names.md."""

"""Conversion between names of ``lex`` and Portuguese text, in both directions. See docs/reference/names.md."""

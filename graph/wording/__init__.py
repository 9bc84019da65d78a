"""Names in words: how Portuguese writes what names of ``lex`` spell, both ways. See docs/reference/names.md."""

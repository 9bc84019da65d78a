"""Reader of articulated text: from the lines of a text, a page or a document to a tree of provisions.

``lines`` holds what every reader of a format yields, ``html``, ``word`` and ``editor`` read formats, ``labels`` reads
what stands at the head of a line, ``notes`` separates editorial notes from words, ``tree`` builds the tree and
``lexml`` writes it as LexML XML 1.0.
"""

"""Reader of articulated text: from the lines of a text, a page or a document to a tree of provisions.

``lines`` defines the output of all format readers; ``reading`` and ``word`` read formats. ``labels`` reads the label of
a line, ``notes`` separates editorial notes from the text, ``outside`` recognises the lines around the provisions,
``tree`` builds the tree, ``issuer`` reads who issued the act, and ``lexml`` writes the tree as LexML XML 1.0.
"""

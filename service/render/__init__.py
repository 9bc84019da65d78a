"""Answers as lines of plain text for a terminal; texts also as HTML and LexML XML."""

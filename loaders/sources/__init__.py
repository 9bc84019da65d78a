"""Formats of sources: one module or package for each, and the table that registers them (:mod:`.registry`)."""

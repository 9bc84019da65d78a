"""Full-text search: norms and their provisions by words, with the days on which the words apply."""

from __future__ import annotations

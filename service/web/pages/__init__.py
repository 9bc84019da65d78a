"""Pages for people: the same answers as the API has, as HTML in Portuguese and English, without script."""

from __future__ import annotations

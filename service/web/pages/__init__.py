"""HTML pages: the same answers as the API, in Portuguese and English, usable without script."""

from __future__ import annotations

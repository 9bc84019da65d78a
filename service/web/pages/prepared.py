"""Compiles the templates on import. The fork server imports it once, before it starts worker processes."""

from __future__ import annotations

from service.web.pages.frame import prepare

prepare()

"""Compiles the templates on import. The process that workers are forked from imports it before it forks."""

from __future__ import annotations

from service.web.pages.frame import prepare

prepare()

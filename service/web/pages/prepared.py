"""Importing this module compiles the templates: the process that workers are forked from does it before it forks."""

from __future__ import annotations

from service.web.pages.frame import prepare

prepare()

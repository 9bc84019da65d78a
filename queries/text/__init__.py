"""Texts: what a norm or provision read on a day, as known on another, put together from its provisions."""

from __future__ import annotations

"""Texts: the text of a norm or provision on a day, as known on another, composed of its provisions."""

from __future__ import annotations

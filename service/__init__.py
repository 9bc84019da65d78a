"""Faces of the graph: rendering only."""

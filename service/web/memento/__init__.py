"""Memento (RFC 7089): TimeGates and TimeMaps over force and over knowledge."""

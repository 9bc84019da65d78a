"""The rules of time. No module of this package imports a store."""

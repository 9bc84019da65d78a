"""Why a store cannot be written, and what helps: a full disk and one that is read-only are no damage."""

from __future__ import annotations

from graph.errors import StoreDamaged

# What the system, the engine and SQLite say of each.
_FULL = ("No space left on device", "database or disk is full", "Disk quota exceeded", "File too large")
_FEW_FILES = "Too many open files"
_READ_ONLY = ("Read-only file system", "readonly database")


def unwritable(error: Exception) -> StoreDamaged:
    """The error of a store that cannot be written."""
    return StoreDamaged(f"the store cannot be written: {error}{helped(error)}")


def helped(error: Exception) -> str:
    """What helps, as the end of a message; nothing where nobody knows."""
    said = str(error)
    if any(words in said for words in _FULL):
        return "; the disk is full: make space and run the same again. What was finished before is kept"
    if _FEW_FILES in said:
        return "; nothing is damaged: let this process open more files (`ulimit -n`) and run the same again"
    if any(words in said for words in _READ_ONLY):
        return "; the disk is read-only: reading goes on, writing has to wait"
    return ""

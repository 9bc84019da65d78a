"""Why a store cannot be written, and what helps: a full disk and one that is read-only are no damage."""

from __future__ import annotations

from graph.errors import StoreDamaged

# What the system, the engine and SQLite say of each.
_FULL = ("No space left on device", "database or disk is full", "Disk quota exceeded", "File too large")
_FEW_FILES = "Too many open files"
_DAMAGED = "Corruption"
#: What helps where data is damaged.
WHAT_NEXT = "What was published is left alone. Restore a backup (`vigente restore`), or load anew"
_READ_ONLY = ("Read-only file system", "readonly database")


def unwritable(error: Exception) -> StoreDamaged:
    """The error of a store that cannot be written."""
    return StoreDamaged(f"the store cannot be written: {error}{helped(error) or _mended(error)}")


def helped(error: Exception) -> str:
    """Return advice for the end of a message; an empty text if there is none."""
    said = str(error)
    if any(words in said for words in _FULL):
        return "; the disk is full: make space and run the same again. What was finished before is kept"
    if _FEW_FILES in said:
        return "; nothing is damaged: let this process open more files (`ulimit -n`) and run the same again"
    if any(words in said for words in _READ_ONLY):
        return "; the disk is read-only: reading goes on, writing has to wait"
    return ""


def unreadable(error: Exception) -> StoreDamaged:
    """The error of a store that cannot be read."""
    return StoreDamaged(f"the store cannot be read: {error}{_mended(error)}")


def _mended(error: Exception) -> str:
    """Return advice on damaged data, for the end of a message."""
    return f". {WHAT_NEXT}" if _DAMAGED in str(error) else ""

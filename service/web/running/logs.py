"""Logs: one JSON object on each line of stderr, whatever was said and by whom."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime

import orjson


class JsonLines(logging.Formatter):
    """A record as one line of JSON; a line that ends within it is written as ``\\n``, never as itself."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: ``time`` (UTC), ``level``, ``logger``, ``message``, then the record's own fields."""
        document: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields = getattr(record, "fields", None)
        if isinstance(fields, dict):
            document.update(fields)
        if record.exc_info and record.exc_info[1] is not None:
            document["error"] = "".join(traceback.format_exception(record.exc_info[1]))
        try:
            line = orjson.dumps(document, default=str)
        except orjson.JSONEncodeError:
            line = b""
        # a terminal must not take what somebody sent for a command: what is no ASCII is escaped
        return line.decode("ascii") if line and line.isascii() else json.dumps(document, ensure_ascii=True, default=str)


def begin() -> None:
    """Let everything that is logged in this process go to stderr, from ``info`` on; from libraries, warnings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    # What no line tells is not gathered for each (the library's own advice: HOWTO, "Optimization").
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001 - as that section says: where it was said
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("vigente").setLevel(logging.INFO)

"""The command line: ``vigente COMMAND``. Its words and exit codes are promises (docs/reference/commands.md).

Exit codes: 0 answered, 1 name not known, 2 bad input or usage, 3 done but some records refused, 4 store unreachable or
damaged, 130 stopped. Answers go to stdout, messages and progress to stderr; no traceback reaches a user.

Little is imported here, so that Ctrl-C while the rest is being imported finds somebody to answer it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main", "run"]

_STOPPED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the process's exit code.

    Args:
        arguments: without the program's name; default those of the process.
    """
    from service.cli.program import execute  # noqa: PLC0415 - see above

    return execute(arguments)


def run() -> None:
    """The program itself: run the command of the process and end it."""
    try:
        from service.cli.program import execute  # noqa: PLC0415 - see above
        from service.output import prepare_streams  # noqa: PLC0415 - see above

        prepare_streams()
        code = execute()
    except KeyboardInterrupt:
        code = _STOPPED
    sys.exit(code)

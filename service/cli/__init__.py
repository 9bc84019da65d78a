"""The command line: ``vigente COMMAND``. Commands, options and exit codes are stable (docs/reference/commands.md).

Exit codes: 0 answered, 1 unknown name, 2 bad input or usage, 3 done but some records refused, 4 store unreachable or
damaged, 130 stopped. Answers go to stdout, messages and progress to stderr. No traceback reaches a user.

This module imports little, so that Ctrl-C during the other imports is handled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main", "run"]

_USAGE, _STOPPED = 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code of the process.

    Args:
        arguments: the arguments without the name of the program; default those of the process.
    """
    from service.cli.program import execute  # noqa: PLC0415 - see above

    return execute(arguments)


def run() -> None:
    """Run the command of the process and exit with its code."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else it searches all installed packages for some
    try:
        from service.cli.program import execute  # noqa: PLC0415 - see above
        from service.output import close_stdout, prepare_streams  # noqa: PLC0415 - see above

        prepare_streams()
        code = execute()
        close_stdout(discard=code == _USAGE)
    except KeyboardInterrupt:
        code = _STOPPED
    sys.exit(code)

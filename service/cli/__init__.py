"""The command line: ``vigente COMMAND``. Its words and exit codes are promises (docs/interfaces.md).

Exit codes: 0 answered, 1 name not known, 2 bad input or usage, 3 done but some records refused, 4 store or endpoint
unreachable or damaged. Answers go to stdout, messages and progress to stderr; no traceback reaches a user.
"""

from __future__ import annotations

import os
import sys

import typer

from graph.errors import StoreProblem, UnknownName, VigenteError
from service.cli import asking, loading
from service.cli.context import Exit, Settings

__all__ = ["app", "main"]

app = typer.Typer(
    name="vigente",
    help="Which text of the law was in force on that day, as known on that other day, and how do we know?",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _settings(
    context: typer.Context,
    store: str = typer.Option("./vigente.store", "--store", envvar="VIGENTE_STORE", help="Folder of the store."),
) -> None:
    context.obj = Settings(store)


loading.add_to(app)
asking.add_to(app)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the process's exit code.

    Args:
        arguments: without the program's name; default those of the process.
    """
    try:
        code = app(args=arguments, prog_name="vigente", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        code = _say(f"{error.format_message().rstrip('.')}; see `vigente --help`", Exit.USAGE)
    except (typer.Abort, KeyboardInterrupt):
        code = _say("stopped; what was finished before is kept", Exit.STOPPED)
    except StoreProblem as error:
        code = _say(str(error), Exit.STORE)
    except UnknownName as error:
        code = _say(str(error), Exit.UNKNOWN_NAME)
    except VigenteError as error:
        code = _say(str(error), Exit.USAGE)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = Exit.ANSWERED
    return int(code or Exit.ANSWERED)


def _say(message: str, code: Exit) -> Exit:
    typer.echo(f"vigente: {message}", err=True)
    return code


def run() -> None:
    """The program itself."""
    sys.exit(main())

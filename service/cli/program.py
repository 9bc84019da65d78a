"""The program: its commands, and the messages and exit codes of errors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer

from graph.civil import zone
from graph.errors import StoreProblem, UnknownName, VigenteError
from loaders.parallel import PoolBroken
from service.cli import (
    amending,
    demo,
    harvesting,
    loading,
    lookup,
    maintenance,
    naming,
    publishing,
    querying,
    serving,
    structuring,
)
from service.cli.context import Exit, Settings
from service.output import OutputClosed, discard_stdout, flush_stdout, print_lines, print_message

app = typer.Typer(
    name="vigente",
    help="Which text of a law was in force on a day, as known on another day, and according to which sources?",
    epilog="Begin with `vigente demo`.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(asked: bool) -> None:
    if asked:
        try:
            number = version("vigente")
        except PackageNotFoundError:
            number = "(a checkout, not installed)"
        print_lines([f"vigente {number}"])
        raise typer.Exit


@app.callback()
def _settings(
    context: typer.Context,
    store: Annotated[
        str, typer.Option("--store", metavar="DIR", envvar="VIGENTE_STORE", help="Folder of the store.")
    ] = "./vigente.store",
    endpoint: Annotated[
        str | None,
        typer.Option(
            "--endpoint",
            metavar="URL",
            envvar="VIGENTE_ENDPOINT",
            help="SPARQL endpoint that has the graph; the folder has the other files.",
        ),
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    if not store:
        raise typer.BadParameter("expected a folder, got an empty text", param_hint="--store")
    zone()  # an invalid time zone is rejected before any command computes today
    context.obj = Settings(Path(store), endpoint or None)


for part in (
    demo,
    loading,
    harvesting,
    lookup,
    naming,
    structuring,
    amending,
    querying,
    publishing,
    maintenance,
    serving,
):
    part.add_to(app)


def execute(arguments: Sequence[str] | None = None) -> int:
    """Run one command, print an error if there is one, and return the exit code.

    Args:
        arguments: the arguments without the name of the program; default those of the process.
    """
    try:
        code = int(app(args=arguments, prog_name="vigente", standalone_mode=False) or Exit.ANSWERED)
        flush_stdout()
    except (OutputClosed, SystemExit):  # typer exits when the reader of a help page has closed stdout
        discard_stdout()
        return Exit.ANSWERED
    except typer.TyperException as error:
        return _print_failure(_usage(error), Exit.USAGE)
    except (StoreProblem, PoolBroken) as error:
        return _print_failure(str(error), Exit.STORE)
    except UnknownName as error:
        return _print_failure(str(error), Exit.UNKNOWN_NAME)
    except VigenteError as error:
        discard_stdout()
        return _print_failure(str(error), Exit.USAGE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _print_failure(f"{where}{error.strerror or error}", Exit.STORE)
    except typer.Abort:
        code = Exit.STOPPED
    except RuntimeError as error:
        if type(error) is not RuntimeError:
            raise
        return _print_failure(f"the store cannot be read: {error}", Exit.STORE)  # the engine's error for a damaged file
    return _print_failure("stopped; finished work is kept", Exit.STOPPED) if code == Exit.STOPPED else code


def _print_failure(message: str, code: Exit) -> Exit:
    print_message(f"vigente: {message}")
    return code


def _usage(error: typer.TyperException) -> str:
    """Return the message of a usage error, with the command of its help page."""
    page: object = getattr(getattr(error, "ctx", None), "command_path", None)
    message = error.format_message().rstrip(".")
    if getattr(error, "option_name", None) == "--store" and hasattr(
        error, "possibilities"
    ):  # --store after the command
        message = "expected --store before the command: `vigente --store DIR COMMAND`"
    return f"{message}; see `{page or 'vigente'} --help`"

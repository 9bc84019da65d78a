"""The program: its commands, and the messages and exit codes of errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer._click.core import Context  # typer has no public names for the arguments of completion
from typer._click.shell_completion import CompletionItem
from typer.core import TyperGroup

from graph.civil import zone
from graph.errors import PoolBroken, StoreProblem, UnknownName, VigenteError, hint_for
from service.cli.context import Exit, Settings
from service.output import OutputClosed, flush_stdout, print_lines, print_message

#: The function of ``service.cli`` of each command, as ``module.function``, in the order of the help page.
_FUNCTIONS = {
    "demo": "demo.demo",
    "load": "loading.load_paths",
    "convert": "loading.convert_paths",
    "build": "building.build_paths",
    "quarantine list": "loading.list_refused",
    "quarantine retry": "loading.retry_refused",
    "get": "harvesting.get",
    "harvest": "harvesting.harvest_providers",
    "provider move": "harvesting.move",
    "in-force": "in_force.show_in_force",
    "show": "lookup.show_dossier",
    "coverage": "lookup.show_coverage",
    "timeline": "lookup.show_timeline",
    "resolve": "lookup.resolve_name",
    "text": "texts.show_text",
    "diff": "texts.show_diff",
    "search": "searching.search_texts",
    "name parse": "naming.name_parse",
    "name canonical": "naming.name_canonical",
    "name label": "naming.name_label",
    "name from-epigraph": "naming.name_from_epigraph",
    "cite": "naming.list_citations",
    "structure": "structuring.structure",
    "amendments": "amending.amendments",
    "apply": "amending.apply_amendments",
    "preview": "amending.show_preview",
    "derive": "amending.derive_texts",
    "blame": "amending.show_blame",
    "disagreements": "amending.show_disagreements",
    "query": "querying.run_query",
    "queries": "querying.list_queries",
    "frames": "tabulating.make_frame",
    "publish": "publishing.publish_norms",
    "stats": "maintenance.show_stats",
    "export": "maintenance.export",
    "optimize": "maintenance.optimize",
    "rebuild": "maintenance.rebuild",
    "backup": "maintenance.make_backup",
    "restore": "maintenance.restore_backup",
    "check": "maintenance.run_checks",
    "serve": "serving.serve",
    "serve-graph": "serving.serve_graph",
}
_GROUPS = {
    "quarantine": "Refused records: list them, or retry them.",
    "provider": "Providers that were harvested.",
    "name": "Names: their parts, spelling and wording.",
}
_SETTINGS = {"search": {"ignore_unknown_options": True}}


class _Commands(Mapping[str, Any]):
    """The commands by name; the module of a command is imported when the command is first read."""

    def __init__(self) -> None:
        self._names = list(dict.fromkeys(words.partition(" ")[0] for words in _FUNCTIONS))
        self._read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            part = typer.Typer(add_completion=False, rich_markup_mode=None)
            part.callback()(lambda: None)
            if name in _GROUPS:
                group = typer.Typer(help=_GROUPS[name])
                part.add_typer(group, name=name)
                own = {words.removeprefix(f"{name} "): words for words in _FUNCTIONS if words.startswith(f"{name} ")}
            else:
                group, own = part, {name: name}
            for command, words in own.items():
                module, _, function = _FUNCTIONS[words].partition(".")
                made = getattr(import_module(f"service.cli.{module}"), function)
                group.command(command, context_settings=_SETTINGS.get(words))(made)
            self._read |= typer.main.get_group(part).commands
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Program(TyperGroup):
    """The program. ``--version``, a command, and the completion of its name do not import the other commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = cast("MutableMapping[str, Any]", _Commands())  # nothing is added after the start

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 - typer's name
        """Return the names of the commands."""
        return list(self.commands)

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin with a text, without their help, or the options."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [CompletionItem(name) for name in self.commands if name.startswith(incomplete)]


app = typer.Typer(
    cls=_Program,
    name="vigente",
    help="Which text of a law was in force on a day, as known on another day, and according to which sources?",
    epilog="Begin with `vigente demo`.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow; only this option needs it

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
        str, typer.Option(metavar="DIR", envvar="VIGENTE_STORE", help="Folder of the store.")
    ] = "./vigente.store",
    endpoint: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="VIGENTE_ENDPOINT",
            help="SPARQL endpoint that has the graph; the folder has the other files.",
        ),
    ] = None,
    atomic: Annotated[
        bool,
        typer.Option(
            "--atomic",
            envvar="VIGENTE_ENDPOINT_ATOMIC",
            help="The endpoint executes a request of updates whole or not.",
        ),
    ] = False,
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    if not store:
        raise typer.BadParameter("expected a folder, got an empty text", param_hint="--store")
    zone()  # an invalid time zone is rejected before any command computes today
    context.obj = Settings(Path(store), endpoint or None, atomic)


def execute(arguments: Sequence[str] | None = None) -> int:
    """Run one command, print an error if there is one, and return the exit code.

    Args:
        arguments: the arguments without the name of the program; default those of the process.
    """
    try:
        code = int(app(args=arguments, prog_name="vigente", standalone_mode=False) or Exit.ANSWERED)
        flush_stdout()
    except (OutputClosed, SystemExit):  # typer exits when the reader of a help page has closed stdout
        return Exit.ANSWERED
    except typer.TyperException as error:
        return _print_failure(_usage(error), Exit.USAGE)
    except (StoreProblem, PoolBroken) as error:
        return _print_failure(str(error), Exit.STORE)
    except UnknownName as error:
        return _print_failure(str(error), Exit.UNKNOWN_NAME)
    except VigenteError as error:
        return _print_failure(str(error), Exit.USAGE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _print_failure(f"{where}{error.strerror or error}{hint_for(error)}", Exit.STORE)
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

"""Commands that need no store, only a text: name parse, canonical, label and from-epigraph; cite."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from graph.errors import BadParameter
from graph.urn import parse
from graph.wording.citations import Citation, Context, cite
from graph.wording.epigraph import from_epigraph
from graph.wording.labels import label
from graph.wording.provisions import Style, is_provision, provision_name
from service.cli.context import AsJson, Exit, NameArgument, day
from service.output import put_json, put_lines, terminal_width
from service.render import table

__all__ = ["add_to"]

# How a name's parts say that there is nothing to tell.
_NOTHING: tuple[object, ...] = (None, False, [])
#: The largest text that ``cite`` reads, in bytes.
LARGEST_TEXT = 32 << 20


def name_parse(name: NameArgument, as_json: AsJson = False) -> int:
    """Every part of a name, under the names of the grammar."""
    parts = parse(name).parts()
    if as_json:
        put_json(parts)
        return Exit.ANSWERED
    rows = [(key, _plain(value)) for key, value in parts.items() if value not in _NOTHING]
    put_lines(table(("part", "value"), rows, terminal_width()))
    return Exit.ANSWERED


def _plain(value: object) -> str:
    """A part of a name in one line."""
    if isinstance(value, (list, tuple)):
        return "; ".join(_plain(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(part)}" for key, part in value.items() if part not in _NOTHING)
    return str(value)


def name_canonical(name: NameArgument, as_json: AsJson = False) -> int:
    """The canonical spelling of a name."""
    parsed = parse(name)
    if as_json:
        put_json({"asked": name, "canonical": parsed.canonical, "kind": parsed.kind.value})
    else:
        put_lines([parsed.canonical])
    return Exit.ANSWERED


def name_label(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name urn:lex:..., or ids of provisions: art5_cpt_inc2.")
    ],
    context: Annotated[
        str | None,
        typer.Option("--context", metavar="ID", help="The provision that the label stands in, for ids of provisions."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """The name in words: in Portuguese and English, its provision also in short and as at its head."""
    _check_id("--context", context)
    found: dict[str, object] = {"asked": name}
    ids: str | None = name
    if not all(map(is_provision, name.split(","))):
        parsed = parse(name)
        found |= {"canonical": parsed.canonical, "label": label(parsed), "label_en": label(parsed, "en")}
        ids = ",".join(_flat(parsed.fragmento.partes)) if parsed.fragmento is not None else None
    provision = None
    if ids is not None:
        parts = ids.split(",")
        provision = {
            "name": provision_name(parts, Style.NAME, context),
            "compact": provision_name(parts, Style.COMPACT, context),
            "rotulo": provision_name(parts[:1], Style.ROTULO),
        }
        found.setdefault("label", provision["compact"] if context is not None else provision["name"])
        found.setdefault("label_en", provision_name(parts, Style.NAME, context, "en"))
    if as_json:
        put_json({**found, "provision": provision})
    else:
        put_lines([str(found["label"])])
    return Exit.ANSWERED


def _check_id(option: str, value: str | None) -> None:
    """Refuse what is no id of a provision."""
    if value is not None and not is_provision(value):
        raise BadParameter(f"expected {option} to be the id of a provision, such as art5_par2, got {value!r}")


def _flat(parts: tuple[str | tuple[str, str], ...]) -> list[str]:
    return [one for part in parts for one in ((part,) if isinstance(part, str) else part)]


def name_from_epigraph(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="An epigraph: LEI Nº 11.705, DE 19 DE JUNHO DE 2008.")],
    place: Annotated[
        str | None, typer.Option("--place", metavar="PLACE", help="Where it is of, if not federal: sp;campinas.")
    ] = None,
    authority: Annotated[
        str | None, typer.Option("--authority", metavar="BODY", help="Who issued it: STF, senado.federal.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """The name that an epigraph spells."""
    found = from_epigraph(text, place=place, authority=authority)
    if as_json:
        put_json({"asked": text, "name": found.name, "kind": found.kind.value, "steps": list(found.steps)})
    else:
        put_lines([found.name])
    return Exit.ANSWERED


def ask_cite(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A text in Portuguese, or `-` for standard input.")],
    norm: Annotated[
        str | None, typer.Option("--norm", metavar="NAME", help="The norm that the text is of: what `desta Lei` means.")
    ] = None,
    provision: Annotated[
        str | None, typer.Option("--provision", metavar="ID", help="The provision that the text is of: art5_par2.")
    ] = None,
    on: Annotated[
        str | None, typer.Option("--on", metavar="D", help="Day of the text: decides between norms of one nickname.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """The citations in a running text, with what each means and where it stands."""
    if provision is not None and norm is None:
        raise BadParameter("expected --norm beside --provision: the norm that the provision is of")
    _check_id("--provision", provision)
    context = Context(norm, provision, day("--on", on))
    found = cite(_text(text), context)
    if as_json:
        put_json({"citations": [citation.as_json() for citation in found]})
    else:
        rows = [(f"{one.start}-{one.end}", _shortened(one), one.name, f"{one.confidence:g}") for one in found]
        put_lines(table(("where", "text", "name", "sure"), rows, terminal_width()) if rows else ["no citation found"])
    return Exit.ANSWERED


def _shortened(citation: Citation) -> str:
    return " ".join(citation.text.split())


def _text(text: str) -> str:
    """The text itself, or what standard input holds.

    Raises:
        BadParameter: it is too large, or no UTF-8.
    """
    if text != "-":
        return text
    raw = sys.stdin.buffer.read(LARGEST_TEXT + 1)
    if len(raw) > LARGEST_TEXT:
        raise BadParameter(f"expected at most {LARGEST_TEXT >> 20} MiB of text, got more")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadParameter(f"expected UTF-8, got byte 0x{raw[error.start]:02X} at {error.start}") from None


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    names = typer.Typer(help="Names: their parts, spelling and wording.")
    names.command("parse")(name_parse)
    names.command("canonical")(name_canonical)
    names.command("label")(name_label)
    names.command("from-epigraph")(name_from_epigraph)
    app.add_typer(names, name="name")
    app.command("cite")(ask_cite)

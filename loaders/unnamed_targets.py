"""The norm that an act of a state or municipality changes where its orders name none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from graph.amendments import Operation
from graph.urn import Name, parse_or_none
from graph.wording.citations import Context, cite_ends
from graph.wording.citations.values import place_of
from graph.wording.folding import folded
from graph.wording.short_names import unnumbered
from loaders.articulated.issuer import Origin
from loaders.articulated.occurrences import Occurrence, StructuredText
from loaders.order_targets import CHANGES, citations_of_changed, without_transitional

_AMENDS_ORGANIC_LAW = re.compile(r"\bemenda (?:\w+ )?(?:n\S* ?[0-9./]+ )?a(?:o texto da)? (?:lei organica|l\.?o\.?m\b)")
_AMENDS_CONSTITUTION = re.compile(r"\bemenda (?:constitucional|a constituicao)")
#: Types of acts that change no norm which their text does not name.
_FIRST = frozenset({"lei.organica", "constituicao", "regimento.interno"})
#: The order of a summary or preamble, before the norm that it concerns.
_ORDERS = re.compile(
    r"\b(?:alter|modific|acresc|acrescent|inclu|inser|revog|suprim|retific|substitu|renumer|reform|emend)\w*\b"
    r"|\bnova redacao\b"
)
#: A norm that a text calls by its type alone, or by its subject ("Código Tributário Municipal").
_ANOTHER_NORM = re.compile(
    r"\b(?:leis?|decretos?|resoluc\w+|emendas?|codigo|estatuto|regimento|regulamento|plano diretor|constituicao"
    r"|medidas?)\b"
)
_OWN = re.compile(r"\b(?:n?d?est[ae]|d?n?a presente) (?:lei(?: complementar| organica)?|emenda|resolucao|decreto)\b")
_OF_AMENDED = re.compile(
    r"\b(?:n?d?est[ae]|d?n?a presente|d?n?a (?:referid|citad|mencionad|mesm)a) lei\b(?: organica| complementar)?"
    r"|\blei o\w{0,5}nica\b(?: municipal| do municipio)?"
)

#: A norm that an order names by the order or the summary before it.
_SAME_NORM = re.compile(
    r"\b(?P<of>(?:d|n)?[ao]|à|ao) (?:(?:mesm|referid|citad|mencionad|aludid|supracitad|supramencionad)[ao] "
    r"(?P<kind>lei(?: complementar)?|decreto|resolução|diploma legal|norma legal)"
    r"|lei (?:em epígrafe|supracitada|supramencionada|acima (?:citada|mencionada)"
    r"|(?:citada|mencionada) (?:na ementa|no artigo anterior|no art\. 1º)))(?![\w-])(?! n[º.°o])",
    re.I,
)
_NORM_WORDS = re.compile(r"\b(?:lei|decreto|resolução)\b.*", re.IGNORECASE | re.DOTALL)
_OF_RULES = re.compile(r"\b(?:n?d?est[ae]|d?o) regimento(?: interno)?\b")


@dataclass(frozen=True, slots=True)
class UnnamedTarget:
    """The norm that an act changes where its orders name none.

    Attributes:
        name: the norm, or a reference to it.
        is_of_type: whether the type of the act decides it: an amendment changes the organic law or the constitution.
    """

    name: Name
    is_of_type: bool

    def is_meant_by(self, text: str, context: Context) -> bool:
        """Return whether an order names no norm, so that it is on this one."""
        text = without_transitional(text) or text
        if cite_ends(text, context):
            return False
        plain = folded(text)
        if self.name.tipo_documento[0] == "regimento.interno":
            plain = _OF_RULES.sub("", plain)
        if self.is_of_type:
            return _ANOTHER_NORM.search(_OF_AMENDED.sub("", plain)) is None
        return _OWN.search(plain) is None and _ANOTHER_NORM.search(plain) is None


def context_of(act: Name | None, origin: Origin) -> Context:
    """Return the context in which the orders of an act are read."""
    place = origin.place if origin.is_local else None
    if act is not None and act.local.detalhe and not act.local.detalhe[0].startswith("justica"):
        place = ";".join((act.local.pais, *act.local.detalhe))
    elif act is not None and act.autoridade[0][0] == "federal":
        place = None
    return Context(place=place, known=origin.known, is_order=place is not None)


def unnamed_target(text: StructuredText, act: Name | None, context: Context) -> UnnamedTarget | None:
    """Return the norm that an act changes where its orders name none; None for a federal act, or if it is not known.

    An amendment changes the organic law, or the constitution of the state. Any other act changes the one norm that its
    summary names as changed.
    """
    if context.place is None:
        return None
    title, preamble, summary = (text.first(part) for part in ("epigrafe", "preambulo", "ementa"))
    words = folded(" ".join(part.text or "" for part in (title, preamble) if part is not None))
    kind = act.tipo_documento[0] if act is not None else ""
    levels = place_of(context.place).split(";")
    if kind in _FIRST:
        return None
    if kind == "emenda.lei.organica" or (len(levels) > 2 and _AMENDS_ORGANIC_LAW.search(words)):
        issuer = f"{context.where}:{'municipal' if len(levels) > 2 else 'distrital'}"
        return _named(unnumbered(issuer, "lei.organica", context.known), is_of_type=True)
    if kind == "emenda.constitucional" or (len(levels) == 2 and _AMENDS_CONSTITUTION.search(words)):
        issuer = f"{';'.join(levels[:2])}:estadual"
        return _named(unnumbered(issuer, "constituicao", context.known), is_of_type=True)
    stated = summary.text or "" if summary is not None else ""
    order = _ORDERS.search(folded(stated))
    if order is None:
        return None
    cited = [each for each in cite_ends(stated, context) if each.start >= order.start()]
    works = {each.name.partition("!")[0] for each in cited}
    return _named(works.pop(), is_of_type=False) if len(works) == 1 else None


def with_norms_before(text: StructuredText, context: Context) -> Iterator[Occurrence]:
    """Yield the provisions of an act; in an order, "da mesma Lei" becomes the norm that the order before cites.

    The first order refers to the summary. Nothing is replaced if that text cites several norms.

    Args:
        context: without a place, nothing is replaced.
    """
    summary = text.first("ementa")
    cited = _norms_of_order(summary.text or "", context) if summary is not None else {}
    for occurrence in text.provisions:
        words = occurrence.text or ""
        if context.place is None or occurrence.quoted or occurrence.struck or not occurrence.id.startswith("art"):
            yield occurrence
            continue
        (norm,) = cited.values() if len(cited) == 1 else (None,)
        same = _SAME_NORM.search(words)
        if same is None or norm is None or not norm.lower().startswith(_type_of(same)):
            cited = _norms_of_order(words, context) or cited
            yield occurrence
        else:
            yield replace(
                occurrence, paragraphs=[_SAME_NORM.sub(rf"\g<of> {norm}", each) for each in occurrence.paragraphs]
            )


def _type_of(same: re.Match[str]) -> str:
    """Return the first word of the type of a norm that an order names by the order before; empty for any type."""
    kind = (same["kind"] or "lei").lower().partition(" ")[0]
    return "" if kind in {"diploma", "norma"} else kind


def _norms_of_order(text: str, context: Context) -> dict[str, str]:
    """Return the words by which an order cites the norms that it changes, by their names; empty for another text."""
    if _ORDERS.search(folded(text)) is None and CHANGES.search(folded(text)) is None:
        return {}
    norms: dict[str, str] = {}
    for citation in citations_of_changed(text, cite_ends(text, context)):
        words = _NORM_WORDS.search(citation.text)
        if words is not None and {each.name for each in cite_ends(words[0], context)} == {
            citation.name.partition("!")[0]
        }:
            norms[citation.name.partition("!")[0]] = words[0]
    return norms


def full_names(text: StructuredText, operations: Iterable[Operation], context: Context) -> dict[Name, Name]:
    """Return the full names of changed norms that an order cites without their day, if the act states it elsewhere.

    The result has the names of the orders as keys. A norm of which the act states several days has none.
    """
    short = {operation.target.work for operation in operations if not operation.target.work.descritor.datas}
    short = {name for name in short if name.descritor.identificadores}
    if not short:
        return {}
    texts = (part.text or "" for part in text.provisions if not part.quoted)
    cited = {each.name.partition("!")[0] for words in texts for each in cite_ends(words, context)}
    dated = [name for name in map(parse_or_none, cited) if name is not None and name.descritor.datas]
    full: dict[Name, Name] = {}
    for name in short:
        fitting = [each for each in dated if _is_same(each, name)]
        if len(fitting) == 1:
            full[name] = fitting[0]
    return full


def _is_same(name: Name, short: Name) -> bool:
    """Return whether a name with a day may be that of a norm which a text cites by its number, or also its year."""
    alike = (name.local, name.autoridade, name.tipo_documento) == (short.local, short.autoridade, short.tipo_documento)
    numbers = name.descritor.identificadores == short.descritor.identificadores
    return alike and numbers and short.descritor.ano in {None, name.descritor.datas[0].year}


def _named(text: str, *, is_of_type: bool) -> UnnamedTarget | None:
    name = parse_or_none(text)
    return UnnamedTarget(name, is_of_type) if name is not None else None

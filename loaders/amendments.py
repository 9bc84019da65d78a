"""Reader of amending acts: derives operations from the articles of an act (LC 95/1998, art. 12).

An amending article names the norm that it changes, states the change by a formula, and quotes the new words. A quoted
label with dots, or without words, leaves its provision unchanged. Text that is not understood is listed, and no
operation is guessed from it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO

from graph.amendments import (
    Amendments,
    Operation,
    OperationKind,
    PartStatus,
    RefusalReason,
    Rest,
    TextPart,
    UnparsedReason,
    UnparsedText,
)
from graph.entities import Record
from graph.errors import BadRecord
from graph.quarantine import Refusal
from graph.urn import Fragmento, Name, parse_or_none
from graph.wording.citations import Citation, Context, cite_ends
from graph.wording.folding import folded
from graph.wording.marks import is_vetoed
from graph.wording.provisions import is_feminine_provision, provision_name
from graph.wording.transitional import ANNEX
from loaders.articulated.issuer import NOWHERE, Origin
from loaders.articulated.occurrences import Occurrence, StructuredText, first_wordings
from loaders.articulated.quotations import INCHES, is_row_of_dots
from loaders.articulated.reading import read_acts
from loaders.codes import RefusalCode
from loaders.commencement import day_of_order, days_of_orders, unread_clauses
from loaders.documents import SourceDocument
from loaders.missed_orders import ON_FORCE, begins_with_label, may_order, unread_steps, with_usual_words
from loaders.order_quotations import (
    group_of,
    is_omitted,
    is_shown_repealed,
    paragraphs_left_out,
    parse_plain_quotation,
    parts_left_out,
    self_and_containers,
    stray_articles,
    without_marks,
    without_vetoed_penalty,
)
from loaders.order_targets import (
    ANNEX_WORD,
    CHANGES,
    GROUPS,
    IN_PART,
    NEAR,
    OF_ACT,
    THIS,
    absolute_identifier,
    annexes_changed,
    at_named_address,
    citations_of_changed,
    cited_with_annexes,
    expand_ranges,
    fragment_of,
    grouping_of,
    in_annex,
    is_any_range_open,
    label_of_words,
    preceding_provision,
    with_usual_labels,
    work_of,
)
from loaders.renumberings import renumberings
from loaders.repeals import names_unread_norm, ordered_repeal
from loaders.sources.format import Head, Match
from loaders.sources.lexml_xml import LEXML_XML, read_lexml_xml
from loaders.unnamed_targets import UnnamedTarget, context_of, full_names, unnamed_target, with_norms_before
from loaders.xml import HEAD

_INSERTS = re.compile(r"\b(?:acrescid|acrescent|acresc|inclu|inser(?:id|e\b|em\b|ir|indo))\w*")
_REWORDS = re.compile(r"\b(?:redacao|alterac\w*|alterad\w*|modificac\w*|(?:altera|modifica)m?\b)")
_REPEALS = re.compile(r"\brevog\w+")
_SUPPRESSES = re.compile(r"\bsuprim(?!ent)\w+")
#: A participle that describes a norm which another act repealed.
_REPEALED_BY = re.compile(r"\b(?:revogad|suprimid)[oa]s?,? (?:em parte |parcialmente )?pel[ao]s?\b")
_QUOTED = r"[“\"'‘]([^”\"’']{1,400})[”\"’']"
_EXPRESSION = re.compile(
    rf"(?:express(?:ão|ões)|palavras?|termos?|locuç(?:ão|ões)) {_QUOTED}[^“\"‘]{{0,200}}?"
    rf"(?:substituíd|passa a ser|por )[^“\"‘]{{0,120}}{_QUOTED}"
    rf"|[Oo]nde se lê:? ?{_QUOTED}[^“\"‘]{{0,200}}?leia-se:? ?{_QUOTED}"
)
#: Text around the target of a formula that no operation expresses: exceptions, negations, words of a provision.
_BEYOND = re.compile(
    r"\b(?:exceto|salvo|ressalvad\w*|excetuad\w*|mantid\w*|com excecao|a excecao|respectivamente|nao (?:fica|se|sao)\b)"
    r"|\b(?:palavras?|expressao|expressoes|termos?|locuc\w+)\b"
    r"|\bdisposicoes em contrario\b(?!,? (?:e,? )?"
    r"(?:em especial|especialmente|notadamente|particularmente|expressamente),? [ao]s? (?!d[aeo]s? ))"
)
#: After the norms that a formula repeals, it repeals what is contrary to the act, too.
_AND_CONTRARY = re.compile(r"\be (?:as |todas as )?(?:demais )?disposicoes em contrario\W*$")
_NEVER = re.compile(r"\bnao (?:ficam?|se|sao|e)\b|\bate (?:o dia )?[0-9]")
_BEYOND_EXPRESSION = re.compile(
    r"\b(?:exceto|salvo|ressalvad\w*|excetuad\w*|com excecao|a excecao|expressoes|palavras|termos)\b"
    r"|[”\"’'] e (?:a|o) \w+ [“\"‘']"
)
#: An effective day stated in the provision itself, outside the commencement clause.
_OWN_DAY = re.compile(
    r"\ba (?:partir|contar) d|\bapos (?:decorrid\w+ )?[0-9]|\bdecorrid\w+ [0-9]"
    r"|\b(?:em|no|desde)(?: o)?(?: dia)? [0-9]{1,2}[ºo°]? de [a-z]+ de [0-9]{4}"
    r"|\b(?:dias?|mes(?:es)?|anos?)(?: \([^)]*\))? (?:apos|depois|contad"
    r"|d[ao] (?:data d[ae] )?(?:sua )?(?:publicacao|vigencia))"
)
#: Parts of a norm, named by words or labels that no citation contains.
_PART_WORD = re.compile(
    r"\bart(?:s|igos?)?\b\.?|§|\b(?:paragrafos?|incisos?|alineas?|letras?|item|itens|numeros?|caput|anexos?|quadros?"
    r"|tabelas?|livros?|titulos?|capitulos?|sec(?:ao|oes)|subsec(?:ao|oes)|rubricas?|ementa|preambulo|penas?)\b"
    r"|[\"“'‘][a-z]{1,2}[\"”'’]|\b[0-9]+[ºo°]"
)
#: Provisions that an order adds ("acrescido dos §§ 3º e 4º", "os seguintes arts. 3º-A a 3º-C").
_LISTED_PART = r"(?:§|(?:arts?|artigos?|par[áa]grafos?|incisos?|al[íi]neas?)\b)"
_ADDED = re.compile(
    rf"\b(?:d?[oa]s?|com [oa]s?)(?: seguintes?)? (?={_LISTED_PART})|\bd[eo] (?=par[aá]grafo [uú]nico)", re.I
)
_OF_LIST = re.compile(
    rf"[ ,]|(?:{_LISTED_PART}[. ]*|[0-9]+[ºo°]?(?:-[A-Z]{{1,2}})*|[IVXLC]+(?:-[A-Z]{{1,2}})*"
    r"|[“\"']?[a-z]{1,2}[”\"']|[a-df-np-z](?!\w)|[aeo](?=[:;,.])|[úu]nico|caput"
    r"|(?:e|a|ao|até|d?[oa]s?|seguintes?)(?= ))(?![^\W\d_])"
)
#: Words before a provision beside which others are inserted.
_BESIDE = re.compile(
    r"\b(?:ap[óo]s|depois d[aeo]s?|antes d[aeo]s?|entre|a seguir a|em seguida a)(?: [oa]s?)?\s(?:arts?\. )?$", re.I
)
#: A preposition before a provision of which only parts are named: "do art. 5º:", "no § 2º:".
_PART_OF = re.compile(r"(?:\b(?:d|n)[oa]|\bao|à) $", re.I)
#: A word for a norm, which a formula without a citation may name.
_NORM_WORD = re.compile(
    r"\b(?:leis?|decretos?|decreto-lei|codigos?|consolidacao|constituicao|regulamentos?|regimentos?|estatutos?|resoluc\w+"
    r"|portarias?|medidas?|emendas?|instruc\w+|normas?|convenc\w+)\b"
)
#: The number and the day of a norm, as a citation has them.
_NORM_NUMBER = re.compile(
    r"\bn\.?[ºo°]?s? ?[0-9.]+(?:/[0-9]+)?|\bde [0-9]{1,2}[ºo°]? de \w+ de [0-9]{4}|\bde [0-9]{4}\b", re.I
)
_ARTICLE_NUMBER = re.compile(r"art([0-9]+)")
_ANNEX = re.compile(r"anx[0-9]+u?(?:-[0-9]+)*")
#: An item that contains letters, as old laws have it: in identifiers, items are parts of letters.
_INVERTED = re.compile(r"\b(?:al[ií]nea|letra)s?\b[^.;]{1,40}?\bd[oa]s? (?:item|itens|n[úu]mero|n\.? ?[º°o])\b", re.I)
#: Parts of several provisions, where each may be of each: "as alíneas a e b dos incisos I e II".
_DISTRIBUTED = re.compile(
    r"(?:\b(?:alineas|letras|incisos|paragrafos)\b|§§)[^;:.]{1,60}?"
    r"\bd[oa]s (?:alineas|letras|incisos|paragrafos|§|arts?\b|artigos)"
)
_REPEAL_ORDER = re.compile(r"\b(?:fica\w*|sao|e)\b[^.;]{0,60}\brevogad|\brevoga\w*-se\b|\bsuprim")
#: An order of a provision that names no norm, and the words of one that gives other provisions new numbers.
_BEGINS_ORDER = re.compile(
    rf"{CHANGES.pattern}|\b(?:fica\w*|sao|e)\b[^.;]{{0,60}}\b(?:revogad|suprimid)|\b(?:revoga|suprim[ea])\w*-se\b"
    r"|^\W*(?:revoga|suprim[ea]|altera|modifica|acrescent|inclu|insere|renumera|da nova)\w*\b"
)
_RENUMBERS_OTHERS = re.compile(
    r"\b(?:alter|renumer|modific)ando-se (?:a|as|o|os)"
    r" (?:numerac\w+|demais|subsequentes?|posterior(?:es)?|seguintes?)\b"
)
#: A norm that the text gives two names: the one that another act gave it, and its own.
_RENAMED = re.compile(r"\b(?:renomead|transformad|convertid)[oa]s? (?:pel[ao]|em|n[ao])\b")
#: The label of another provision, the mark of a changed one, or the end of a formula, inside of a text.
_GLUED = re.compile(
    r"\bArt\.?$|[.;:] (?:Art\. [0-9]|Se[çc][ãa]o [IVXLC]+ (?:D[AEO]S? |[A-Z])|Cap[íi]tulo [IVXLC]+ D"
    r"|Par[áa]grafo [úu]nico\s?[.:–-]|§ ?[0-9]+ ?[ºo°]?\.? [A-ZÀ-Ý]|(?:e )?[IVX]+ ?[-–] ?[^\W\d_])"
    r"|[”\"»’']\W{0,3}(?:NR|AC)\W*$|[”\"]\W{0,3}(?i:leia-se|passa a (?:ler|dizer))\b"
)
_WHOLLY = re.compile(r"\b(?:em todos os seus termos|em sua totalidade|na integra)\b")
_SUPPRESSED_WORDS = re.compile(r"\bsuprim\w* (?:a|as|o|os) (?:palavras?|express\w+|termos?)\b")
_SUMMARY = re.compile(r"\bementa (?:d[ao]|e [oa]s?)\b", re.I)
_SECOND = re.compile(
    r"\b(?:revoga|suprim|renumer|exclu|transforma(?!c)|convert)\w*"
    r"|\bpassando\b(?![^:;]{0,120}\ba (?:vigorar|viger|ter|constar|reger)\b(?! como))"
)
_ORDERS = re.compile(
    r"\b(?<!nao )(?:revog|suprim(?!ent)|renumer|substitu|acresc|acrescent|exclu(?!siv)"
    r"|denomin(?!ad)|restabelec|prorrog)\w*"
    r"|\b(?:da|e dada|dar)(?:-se)? nova redacao|\baltera-se|\b(?:torna\w*(?:-se)?|fica\w*) sem efeito"
    r"|\bperde\w* (?:a|sua) (?:vigencia|eficacia)|\bdeixa\w* de (?:vigorar|viger|ter (?:vigencia|vigor|eficacia))"
    rf"|{ON_FORCE}"
    r"|\b(?:fica\w* (?:incluid|inserid|adicionad)[oa]s?|(?:inclui|inclua|insere|insira)\w*-se)"
    r" (?:[oa]s? (?:arts?\b|artigo|§|paragr|inciso|aline|anexo|ite[mn]|tabela|quadro|capitulo|titulo|livro"
    r"|sec(?:ao|oes)\b)"
    r"|n[oa] (?:arts?\b|artigo|lei|decreto|medida|resoluc|portaria|codigo|constituicao)\b)"
    r"|\b(?:derrog|ab-?rog)ad|\belimin\w+-se"
    r"|\bfica\w* (?:cancelad|extint)[oa]s? [oa]s? (?:arts?\b|artigo|§|paragr|inciso)"
    r"|\bpassa\w* a (?:denominar|ser|o |§|paragrafo|inciso|art)|\bonde se le\b|\bleia-se\b"
)
#: A new value for what a cited provision states: "O valor de que trata o art. 5º ... passa a ser de".
_REVALUES = re.compile(
    r"\b(?:valor|prazo|limite|percentua|aliquota|multa|taxa|quantia|pena|idade|indice|teto|numero|quantidade)\w*\b"
    r"[^.;]{0,80}\b(?:de que tratam?|a que se referem?|previst[oa]s?|fixad[oa]s?|estabelecid[oa]s?|constantes?|d[ao]s?)"
    r"\b.{0,200}\b(?:passa\w* a (?:ser|vigorar|corresponder)"
    r"|fica\w* (?:reajustad|fixad|elevad|reduzid|majorad|atualizad))"
)
#: The norm that a text names as itself, with a number: "desta Resolução nº 135".
_THIS_NUMBERED = re.compile(
    r"\b(?:dest[ae]|d[ao] presente) (?:[^\W\d_]+[ -]){1,4}?n\.? ?[ºo°]? ?(?P<number>[0-9][0-9.]*(?:-[0-9A-Z]+)?)", re.I
)
#: The beginning of an order with a verb in the passive voice of commands: "Aumente-se", "Transfira-se".
_IMPERATIVE = re.compile(r"\W*[^\W\d_]+-se\b", re.IGNORECASE)
_NESTED = re.compile(r"\bpassa\w* a (?:vigorar|viger)\b[^:]*:\W*$", re.IGNORECASE)
_UNREAD = RefusalReason.AMBIGUOUS_SCOPE
#: The number of characters of a provision in which a formula is searched for.
_LONGEST = 4_000
#: The types of documents that order no change before they are passed, and of judgments, by their beginning.
NO_NORM = re.compile(r"anteprojeto|projeto|proposta|substitutivo|emenda$|indicacao|requerimento|acordao|decisao|sumula")


def amendments_of_each(raw: bytes, label: str, act: Name | None = None, origin: Origin = NOWHERE) -> list[Amendments]:
    """Return the changes that each act of a file makes, in any format of texts or LexML XML. A gazette has several.

    Args:
        raw: the file.
        label: its name, for messages.
        act: the name of the first act, where the file does not state it.
        origin: the place and authority of the acts, where the file does not state them.

    Raises:
        BadRecord: the file is empty, too large, damaged, or in an unsupported format.
    """
    each = []
    for number, (structured, name) in enumerate(_articles(raw, label, origin)):
        read = read_amendments(structured, act if act is not None and number == 0 else name, origin)
        lost = (UnparsedText(line, text, UnparsedReason.NOT_PLACED) for line, text in structured.not_placed)
        each.append(replace(read, left=tuple(sorted((*read.left, *lost), key=lambda unparsed: unparsed.line))))
    return each


def amendments_of(raw: bytes, label: str, act: Name | None = None, origin: Origin = NOWHERE) -> Amendments:
    """Return the changes that the one act of a file makes; arguments and errors are those of
    :func:`amendments_of_each`.

    Raises:
        BadRecord: also if the file has several acts.
    """
    first, *others = amendments_of_each(raw, label, act, origin)
    if others:
        named = "; ".join(other.act.canonical if other.act is not None else "an act without a name" for other in others)
        raise BadRecord(RefusalCode.NO_DOCUMENT, f"the file has other acts too: {named}", "a file with one act")
    return first


def text_of_file(raw: bytes, label: str, origin: Origin = NOWHERE) -> tuple[Name | None, list[TextPart]]:
    """Return the norm of a file and its provisions as inputs of operations; takes what :func:`amendments_of` takes.

    Raises:
        BadRecord: as for :func:`amendments_of`.
    """
    structured, name = _articles(raw, label, origin)[0]
    parts = [
        TextPart(
            provision.id,
            provision.within,
            provision.label,
            provision.heading,
            provision.text,
            status=PartStatus.UNKNOWN if provision.omitted else PartStatus.IN_FORCE,
        )
        for provision in structured.provisions
        if not provision.quoted and provision.prefix != "omi"
    ]
    return name, parts


def _articles(raw: bytes, label: str, origin: Origin) -> list[tuple[StructuredText, Name | None]]:
    """Return the articles of each act of a file, and the name that the file states for it."""
    head = Head(raw[:HEAD], label)
    if LEXML_XML.detect(head) is Match.NONE:
        acts = read_acts(raw, origin)
        if not any(provision.prefix == "art" for act in acts for provision in act.text.provisions):
            raise BadRecord(RefusalCode.NO_DOCUMENT, "the file has no article", "a text with articles (Art. 1º)")
        return [(act.text, act.name) for act in acts]
    for outcome in read_lexml_xml(SourceDocument(label, partial(BytesIO, raw))):
        if isinstance(outcome, Refusal):
            raise BadRecord(outcome.code, outcome.problem, outcome.expected)
        if isinstance(outcome, Record) and outcome.document is not None:
            placed = [occurrence for provision in outcome.provisions for occurrence in first_wordings(provision)]
            return [(StructuredText(placed), outcome.document.name.work)]
    raise BadRecord(RefusalCode.NO_DOCUMENT, "the file has no text with articles", "a LexML XML document with its text")


def read_amendments(text: StructuredText, act: Name | None, origin: Origin = NOWHERE) -> Amendments:
    """Return the changes that an act, or one amending article, makes.

    Args:
        text: the act, or the article, with its provisions.
        act: its name, where it is known.
        origin: its place, where its name is not known.
    """
    context = context_of(act, origin)
    reading = _Reading(text, act, context, unnamed_target(text, act, context))
    reading.run()
    return Amendments(act, tuple(reading.operations), tuple(reading.left))


def changed_norms(text: StructuredText, act: Name | None, origin: Origin = NOWHERE) -> dict[str, Name]:
    """Return the one norm that the quotation in a provision of an act changes, by the provision's identifier.

    Args:
        text: the act, with its provisions.
        act: its name; without it the result is empty.
        origin: as for :func:`read_amendments`.
    """
    norms: dict[str, set[Name]] = {}
    for operation in read_amendments(text, act, origin).operations:
        if operation.source is not None:
            norms.setdefault(operation.source.canonical.rpartition("!")[2], set()).add(operation.target.work)
    return {identifier: works.pop() for identifier, works in norms.items() if len(works) == 1}


@dataclass(frozen=True, slots=True)
class _Announced:
    """What the formula above a list names for the items of the list.

    Attributes:
        norm: the norm.
        annex: the identifier of its annex that contains the provisions; None for the body of the norm.
        is_open: whether the provisions are in an annex that the formula does not identify.
        within: the identifier of the provision, without its annex, of which they are parts; None if they are not.
    """

    norm: str
    annex: str | None = None
    is_open: bool = False
    within: str | None = None


@dataclass(frozen=True, slots=True)
class _Order:
    """A provision of the act without a quotation, that may order changes.

    Attributes:
        text: its text, with labels as citations have them.
        above: the formula above a list that contains it; empty for other provisions.
        every: all citations in the text; ``cited`` are of changed provisions, and ``others`` of those of other norms.
        annexes: the identifiers of the annexes that it changes; None for one that it does not identify.
        context: what the formula above a list introduced.
    """

    occurrence: Occurrence
    text: str
    above: str
    source: Name | None
    every: Sequence[Citation]
    cited: Sequence[Citation]
    others: Sequence[Citation]
    annexes: frozenset[str | None]
    context: _Announced | None

    @property
    def annex(self) -> str | None:
        """The annex of the list that contains its provisions; None if its text states where they are."""
        return _annex_of_list(self.text, self.annexes, self.context)


@dataclass(slots=True)
class _Scope:
    """The context of a quotation: the source, the changed norm and the named provisions.

    Attributes:
        source: the provision that orders the change.
        norm: the changed norm.
        narrow: identifiers of its provisions that the formula names.
        inserts: whether the formula only adds.
        summary: whether the formula names the summary (ementa).
        annex: the identifier of the annex that the formula changes; None if it changes the body of the norm.
        numbers: the numbers in the formula, if it names articles as its only targets; else None.
    """

    source: Name | None
    norm: Name
    narrow: tuple[str, ...]
    inserts: bool
    summary: bool
    annex: str | None
    numbers: frozenset[str] | None

    @property
    def only_target(self) -> str | None:
        """The only provision that gets new words, which the formula names, so that they may have no label."""
        if self.inserts or self.summary or len(set(self.narrow)) != 1 or "art" not in self.narrow[0]:
            return None
        return f"{self.narrow[0]}_cpt" if self.narrow[0].rpartition("_")[2].startswith("art") else self.narrow[0]


@dataclass(frozen=True, slots=True)
class _QuotedProvision:
    """A quoted provision.

    Attributes:
        provision: the provision.
        fragment: its identifier in the changed norm.
        article: the article of which it is the caput; None for other provisions.
        refused: why the operation must not be applied.
        group: in the quotation, the identifier of the grouping that contains its article.
        parts, paragraphs: as for an operation.
    """

    provision: Occurrence
    fragment: str
    article: Occurrence | None
    refused: RefusalReason | None
    group: str | None
    parts: Rest
    paragraphs: Rest


@dataclass(slots=True)
class _Reading:
    """The reading of one act: its state and the operations found so far."""

    text: StructuredText
    act: Name | None
    context: Context
    unnamed: UnnamedTarget | None
    operations: list[Operation] = field(default_factory=list)
    left: list[UnparsedText] = field(default_factory=list)
    orders: dict[str, Occurrence] = field(default_factory=dict)

    def run(self) -> None:
        quoting = {provision.within for provision in self.text.provisions if provision.prefix == "alt"}
        own = [
            provision
            for provision in with_norms_before(self.text, self.context)
            if not (provision.quoted or provision.struck)
            and (provision.text is not None or provision.id in quoting)
            and provision.id.startswith("art")  # a summary makes no change
        ]
        self.orders = {occurrence.id: occurrence for occurrence in own}
        strays = stray_articles(own, is_local=self.context.place is not None)
        quotes: dict[str, list[Occurrence]] = {}
        for occurrence in self.text.provisions:
            if occurrence.quoted:
                quotes.setdefault(occurrence.id.partition("_alt")[0], []).append(occurrence)
        texts = {occurrence.id: occurrence.text or "" for occurrence in own}
        days = days_of_orders(texts, self.text.published)
        broken = self._articles_with_broken_quotations(own) if self.context.place is not None else set()
        above = ""
        announced: dict[str, _Announced] = {}
        for occurrence in own:
            text = occurrence.text or ""
            text = with_usual_words(text) if self.context.place is not None else text
            if occurrence.id.partition("_")[0] in strays:
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.NO_TARGET)
                continue
            if occurrence.prefix == "cpt":
                above = text if text.rstrip().endswith(":") else ""
            listed = f"{above} {text}" if occurrence.prefix != "cpt" and above else text
            before, left = len(self.operations), len(self.left)
            context = next((announced[stem] for stem in self_and_containers(occurrence.id) if stem in announced), None)
            context = context or self._of_unnamed(occurrence, listed, quotes)
            quoted = quotes.pop(occurrence.id, [])
            norm = self._add_ordered_operations(occurrence, text, listed, quoted, context)
            if quoted and occurrence.id.partition("_")[0] in broken:
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.NOT_PLACED)
            if norm is not None:
                announced[occurrence.id] = norm
            elif (before, left) == (len(self.operations), len(self.left)) and self._is_missed(listed):
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
            if self.context.place is not None and context is not None and context.within is not None:
                within = f"{context.norm}!{context.within}"
                self.left[left:] = [replace(each, named=each.named or (within,)) for each in self.left[left:]]
            article = occurrence.id.partition("_")[0]
            day, follows = days.get(article, days[""])
            unquoted = re.sub(_QUOTED, "", listed)
            if apart := _OWN_DAY.search(folded(unquoted)):  # it states another day than the clause of commencement
                is_of_all = len(self.operations) == before + 1 or not _PART_WORD.search(
                    folded(unquoted[: apart.start()])
                )
                day, follows = day_of_order(unquoted, self.text.published) if is_of_all else (None, None)
            for index in range(before, len(self.operations)):
                published = self.text.published
                is_broken = article in broken and self.operations[index].text is not None
                self.operations[index] = replace(
                    self.operations[index],
                    refused=RefusalReason.PARTIAL_TEXT if is_broken else self.operations[index].refused,
                    effect=day,
                    known=published,
                    follows=follows,
                )
        for some in quotes.values():  # quotations in stray provisions, or in those without text
            self._add_not_understood(some[0].line, some[0], UnparsedReason.NO_TARGET)
        if self.context.place is not None:
            unread = unread_clauses(texts, self.text.published)
            for occurrence in (each for each in own if each.id in unread):
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.COMMENCEMENT)
            stated = full_names(self.text, self.operations, self.context)
            self.operations[:] = [_on(operation, stated) for operation in self.operations]

    def _articles_with_broken_quotations(self, own: Sequence[Occurrence]) -> set[str]:
        """Return the articles of an act of which a part continues a quotation, because a mark inside it closed it."""
        known = {occurrence.id for occurrence in own}
        opened: dict[str, int] = {}
        for occurrence in self.text.provisions:
            if occurrence.prefix == "alt":
                opened.setdefault(occurrence.id.partition("_")[0], occurrence.line)
        return {
            article
            for occurrence in own
            if (article := occurrence.id.partition("_")[0]) in opened
            and occurrence.line > opened[article]
            and occurrence.prefix in {"par", "inc", "ali"}
            and (before := preceding_provision(occurrence.id)) is not None
            and before not in known
        }

    def _of_unnamed(
        self, occurrence: Occurrence, listed: str, quotes: Mapping[str, Sequence[Occurrence]]
    ) -> _Announced | None:
        """Return the norm that the whole act changes, if an order names none; None for another provision."""
        plain = folded(listed)
        begins = _BEGINS_ORDER.search(plain) is not None or may_order(plain) or _EXPRESSION.search(listed) is not None
        if self.unnamed is None or not (begins or occurrence.id in quotes):
            return None
        if not self.unnamed.is_meant_by(with_usual_labels(listed), self.context):
            return None
        return _Announced(self.unnamed.name.canonical)

    def _is_missed(self, text: str) -> bool:
        """Return whether a provision of a local act, from which nothing was read, may order a change."""
        if self.context.place is None:
            return False
        own = self.act.canonical if self.act is not None else None
        cited = [each for each in cite_ends(text, replace(self.context, norm=own)) if self._is_own(each)]
        itself = [each for each in cited if OF_ACT.match(text, each.end) is not None]
        rest = _folded_without(itself, text[:_LONGEST])
        return may_order(rest) or self._is_on_amended(text[:_LONGEST])

    def _is_on_amended(self, text: str) -> bool:
        """Return whether a provision of an amendment may change one that it cites: an amendment has no other object."""
        if self.unnamed is None or not self.unnamed.is_of_type:
            return False
        norm, text = self.unnamed.name.canonical, with_usual_labels(text)
        every = [
            each
            for each in cited_with_annexes(text, norm, norm, self.context)
            if fragment_of(each) and work_of(each) == norm and not OF_ACT.match(text, each.end)
        ]
        return bool(citations_of_changed(text, every) or (every and _IMPERATIVE.match(text)))

    def _add_ordered_operations(
        self, occurrence: Occurrence, text: str, listed: str, quoted: list[Occurrence], context: _Announced | None
    ) -> _Announced | None:
        """Add the operations that a provision of the act orders.

        Args:
            context: what a list above the provision introduced.

        Returns:
            What the provision introduces itself (":"); None if it introduces nothing.
        """
        if not (quoted or context or listed.rstrip().endswith(":") or _changes(folded(listed))):
            return None
        norm = context.norm if context is not None else None
        within = norm or (self.act.canonical if self.act is not None else None)
        above = listed.removesuffix(text)
        text = with_usual_labels(text)
        if context is not None and context.within is not None:
            text = _with_container(text, context.within)
        every = cited_with_annexes(text, within, norm, self.context)
        cited = citations_of_changed(text, every)
        others = [citation for citation in cited if not self._is_own(citation)]
        identifier, _, inserter = occurrence.id.partition(",")
        fragment = Fragmento((identifier,), inserter or None)
        source = self.act.with_fragmento(fragment) if self.act is not None else None
        plain = folded(listed)
        never = _NEVER.search(folded(text)) is not None and (quoted or (others and orders_change(plain)))
        is_distributed = self.context.place is not None and _DISTRIBUTED.search(plain) is not None
        if never or (others and (is_distributed or _INVERTED.search(text))):
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
            return None
        listing = text.rstrip().endswith(":") and not quoted
        annexes = frozenset(annexes_changed(text))
        if context is not None and context.is_open and not annexes and not listing:
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.ANNEX)
            return None
        annex = _annex_of_list(text, annexes, context)
        if self._add_word_replacements(occurrence, text, source, others, annex):
            return None
        if quoted:
            self._add_quoted_operations(occurrence, text, source, others, quoted, context)
            return None
        return self._add_unquoted_operations(
            _Order(occurrence, text, above, source, every, cited, others, annexes, context)
        )

    def _add_unquoted_operations(self, order: _Order) -> _Announced | None:
        """Add the operations that a provision without a quotation orders; return what it introduces itself (":")."""
        occurrence, others = order.occurrence, order.others
        if renumbered := self._add_renumbering(occurrence, order.text, order.source, others):
            others = [each for each in others if not any(span[0] <= each.start < span[1] for span in renumbered)]
            order = replace(order, text=_blanked(order.text, renumbered), others=others)
            is_second = _SECOND.search(folded(order.text)) is not None
            if is_second and not others:
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
            if not is_second or not others:
                return None
        plain = folded(order.above + order.text)
        if order.text.rstrip().endswith(":"):
            has_items = any(provision.id.startswith(f"{occurrence.id}_") for provision in self.text.provisions)
            announced = _announced(order)
            if has_items and announced is not None:
                return announced
            if has_items and _REPEAL_ORDER.search(plain) is None and _SUPPRESSES.search(plain) is None:
                return None
            if others and (has_items or CHANGES.search(plain)):
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
            if has_items or CHANGES.search(plain) or not any(map(fragment_of, others)):
                return None
        self._add_ordered_repeals(order, plain)
        return None

    def _add_ordered_repeals(self, order: _Order, plain: str) -> None:
        """Add the repeals that a provision orders; list it if it orders another change."""
        occurrence, text, others = order.occurrence, order.text, order.others
        ordering, unread = _REPEALED_BY.sub("", plain), _folded_without(order.every, text)
        kind = (
            OperationKind.REPEAL
            if _REPEALS.search(ordering)
            else OperationKind.SUPPRESSION
            if _SUPPRESSES.search(ordering)
            else None
        )
        repeal = ordered_repeal(text, order.above, others) if kind is not None else None
        own = [part for part in order.cited if part not in others and fragment_of(part)]
        elsewhere = own and (
            THIS.search(text[own[0].start : own[-1].end + NEAR]) is None or self._names_another(text[own[0].start :])
        )
        if elsewhere and _REPEAL_ORDER.search(plain) is not None:
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
        elif kind is not None and repeal is not None:
            self._add_repeals(order, kind, repeal.targets)
            if repeal.has_other_order or names_unread_norm(unread):
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
        elif (
            (others and (kind is not None or CHANGES.search(plain) or _ORDERS.search(ordering)))
            or (
                kind is not None
                and (
                    order.context
                    or (
                        _REPEAL_ORDER.search(ordering)
                        and (_PART_WORD.search(unread) is not None or names_unread_norm(unread))
                    )
                )
            )
            or (_REVALUES.search(plain) and any(fragment_of(each) for each in order.every if not self._is_own(each)))
        ):
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)

    def _is_own(self, cited: Citation) -> bool:
        return self.act is not None and work_of(cited) == self.act.work.canonical

    def _names_another(self, text: str) -> bool:
        """Return whether a text calls a norm of another number than the act "this" one."""
        named = _THIS_NUMBERED.search(text)
        own = self.act.descritor.identificadores if self.act is not None else ()
        return named is not None and bool(own) and named["number"].replace(".", "").casefold().rstrip("-") not in own

    def _add_quoted_operations(
        self,
        occurrence: Occurrence,
        text: str,
        source: Name | None,
        others: Sequence[Citation],
        quoted: Sequence[Occurrence],
        context: _Announced | None,
    ) -> None:
        """Add the operations of a provision that quotes new text."""
        target = next(iter(others), None)
        norm = parse_or_none(work_of(target)) if target is not None else None
        if target is None and context is not None and _NORM_WORD.search(folded(text)) is None:
            norm = parse_or_none(context.norm)  # a quotation alone in a list, or after "no Anexo I:"
        is_renamed = self.context.place is not None and _RENAMED.search(folded(text)) is not None
        if norm is None or is_renamed or len({work_of(citation) for citation in others}) > 1:
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.NO_TARGET)
            return
        if any(_NESTED.search(quoted_part.text or "") for quoted_part in quoted if quoted_part.prefix != "alt"):
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.NOT_PLACED)
            return  # a quotation within a quotation
        plain = folded(text)
        if _RENUMBERS_OTHERS.search(plain) is not None:
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
            return  # the provisions that it quotes are between others, which get other numbers
        narrow = tuple(fragment_of(citation) for citation in others if fragment_of(citation))
        if context is not None and context.within is not None:
            narrow = narrow or (context.within,)
        annexes = set(annexes_changed(text))
        if not annexes and narrow and all(fragment.startswith(f"{ANNEX}_") for fragment in narrow):
            annexes = {ANNEX}  # the transitional provisions of an organic law
        if annexes and all(fragment.startswith("anx") for fragment in narrow):
            annex = annexes.pop()
            if annexes or annex is None:
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.ANNEX)
                return
        else:
            annex = _annex_of_list(text, annexes, context)
        added = _INSERTS.search(plain)
        worded = plain.find("com a seguinte redacao")
        rewords = _REWORDS.search(plain.replace("com a seguinte redacao", ""))
        inserts = added is not None and rewords is None and (worded < 0 or added.start() < worded)
        before = len(self.operations)
        summary = _SUMMARY.search(text) is not None
        numbers = _numbers_of_articles(text, others, is_exact=self.context.place is not None and not inserts)
        scope = _Scope(source, norm, narrow, inserts, summary, annex, numbers)
        shown = self._add_quoted_provisions(scope, list(without_marks(quoted)))
        new = self.operations[before:]
        repeats = all(operation.kind is OperationKind.REPEAL for operation in new) and {
            operation.target.canonical.partition("!")[2] for operation in new
        } == set(narrow)
        if repeats and _REPEALS.search(plain):
            return
        renumbered = self._add_renumbering(occurrence, text, source, others) if annex is None else []
        if _SECOND.search(_SUPPRESSED_WORDS.sub("", folded(_blanked(text, renumbered)))):
            # a second order in one sentence
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
        is_whole = (
            not (narrow or inserts or annex) and "redacao" in plain and re.search(r"altera|modifica", plain) is None
        )
        if is_whole and {"art1_cpt", "art2_cpt"} <= {each.target.canonical.partition("!")[2] for each in new}:
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)  # maybe of the whole norm
        if shown is not None:
            self._add_not_quoted(occurrence, text, scope, others, shown)
        if self.context.place is not None:
            self._refuse_uncertain(scope, _folded_without(others, _blanked(text, renumbered)), before)

    def _refuse_uncertain(self, scope: _Scope, rest: str, first: int) -> None:
        """Refuse the operations of an order of a state or municipality whose address is not read as a whole, and those
        on provisions that it quotes twice.

        Args:
            rest: the order without its citations, folded.
            first: the index of its first operation.
        """
        new = self.operations[first:]
        told = [each for each in new if each.refused is not RefusalReason.NOT_QUOTED]
        steps = {step for each in told for step in each.target.canonical.partition("!")[2].split("_")}
        times = Counter((each.target, each.kind is OperationKind.RENUMBERING) for each in new)
        is_unread = bool(unread_steps(rest, steps))
        is_open = not (scope.narrow or scope.inserts) and bool(unread_steps(rest, ()))
        for index, each in enumerate(new, first):
            if is_unread:
                self.operations[index] = replace(each, refused=_UNREAD)
            elif times[each.target, each.kind is OperationKind.RENUMBERING] > 1:
                self.operations[index] = replace(each, refused=RefusalReason.AMBIGUOUS_LABEL)
            elif is_open:  # the provisions that it names are known from the quotation alone
                parts, paragraphs = (
                    Rest.UNDECIDED if left_out is Rest.GONE else left_out for left_out in (each.parts, each.paragraphs)
                )
                self.operations[index] = replace(each, parts=parts, paragraphs=paragraphs)

    def _add_not_quoted(
        self, occurrence: Occurrence, text: str, scope: _Scope, others: Sequence[Citation], shown: set[str]
    ) -> None:
        """Add a refused operation for each provision that an order names and does not quote.

        Args:
            shown: the identifiers of the quoted provisions.
        """
        for operation in self.operations:
            if operation.source == scope.source and operation.kind is OperationKind.RENUMBERING:
                names = (operation.target, operation.becomes) if operation.becomes is not None else (operation.target,)
                shown |= {name.canonical.partition("!")[2] for name in names}
        named = list(dict.fromkeys(_provisions_of_order(text, scope, others)))
        steps = {fragment.rpartition("_")[2] for fragment in shown}
        groups = {fragment.rpartition("_")[2] for fragment in named}
        for fragment in named:
            step = fragment.rpartition("_")[2]
            if (prefix := grouping_of(step)) is not None:
                beside = {each for each in groups if grouping_of(each) == prefix}
                is_told = step not in steps and not beside.isdisjoint(steps)  # else it may only contain what is quoted
            else:
                parts = (f"{fragment}_", f"{fragment}-") if scope.inserts else (f"{fragment}_",)
                is_told = "art" in fragment or fragment == "ementa"
                is_told = is_told and not any(each == fragment or each.startswith(parts) for each in shown)
            if is_told:
                kind = OperationKind.INSERTION if scope.inserts else OperationKind.SUBSTITUTION
                target = in_annex(scope.norm.with_fragmento(Fragmento((fragment,))), scope.annex)
                told = Operation(scope.source, target, kind, line=occurrence.line, refused=RefusalReason.NOT_QUOTED)
                self.operations.append(told)

    def _add_repeals(self, order: _Order, kind: OperationKind, others: Sequence[Citation]) -> None:
        """Add the repeals of a provision. One that does more than list its targets is listed as not understood."""
        occurrence, text, annex = order.occurrence, order.text, order.annex
        refused = IN_PART.search(text)
        left = _folded_without(order.every, text[: refused.start()] if refused is not None else text)
        left = _WHOLLY.sub("", left)
        if _BEYOND.search(_AND_CONTRARY.sub("", left)) or _PART_WORD.search(left) or is_any_range_open(text, others):
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
            return
        named = dict(expand_ranges(text, others))
        parts = {name.work for name in named if name.fragmento is not None}
        self.operations += [
            Operation(
                order.source,
                in_annex(name, annex),
                kind,
                line=occurrence.line,
                refused=RefusalReason.IN_PART if refused is not None else None,
                letters=letters,
            )
            for name, letters in named.items()
            if name.fragmento is not None or name not in parts  # else it only names the norm of the listed provisions
        ]

    def _add_quoted_provisions(self, scope: _Scope, quoted: Sequence[Occurrence]) -> set[str] | None:
        """Add the operations of quoted provisions.

        Returns:
            The identifiers of the provisions that have words, also where their operation is refused; None if the norm
            does not determine one.
        """
        shown: set[str] | None = set()
        labels = {placed.id: placed for placed in quoted if placed.prefix == "art"}
        ambiguous = {placed.id for placed in quoted if placed.ambiguous}
        omitted = {placed.id for placed in quoted if placed.prefix == "cpt" and (is_omitted(placed) or not placed.text)}
        for index, each in enumerate(quoted):
            occurrence = each
            if (
                occurrence.prefix == "alt" and occurrence.text is not None
            ):  # its provisions are not separate in the source
                inner = parse_plain_quotation(occurrence)
                inside = self._add_quoted_provisions(scope, inner)
                shown = shown | inside if shown is not None and inside is not None else None
                if not inner:
                    self._add_not_understood(occurrence.line, occurrence, UnparsedReason.NOT_PLACED)
                continue
            if (
                occurrence.prefix in {"alt", "omi", "art"}
                or is_omitted(occurrence)
                or (occurrence.text is None and occurrence.prefix not in GROUPS and not is_shown_repealed(occurrence))
            ):
                continue
            relative = occurrence.id.partition("_alt")[2].partition("_")[2]
            if relative == "dpg1" and scope.summary and not scope.narrow and len(quoted) == 2:
                relative = "ementa"
            elif relative == "dpg1" and len(quoted) == 2 and scope.only_target is not None:
                relative = scope.only_target
            elif occurrence.prefix == "dpg" and relative.startswith("dpg") and occurrence.label is None:
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.NOT_PLACED)
                continue
            fragment = absolute_identifier(relative, scope.narrow)
            if f"{occurrence.id.removesuffix(relative)}{relative.partition('_cpt_')[0]}_cpt" in omitted:
                fragment = at_named_address(fragment, scope.narrow)
            refused, address = None, fragment or relative
            number = _ARTICLE_NUMBER.match(relative)
            own = (fragment or "").removeprefix(f"{scope.annex}_")
            known = {own, own.replace("_dpg", "_ite")} if fragment is not None else None
            shown = shown | known if shown is not None and known is not None else None
            if fragment is None or (number and scope.numbers is not None and number[1] not in scope.numbers):
                refused = RefusalReason.AMBIGUOUS_SCOPE
            is_open = fragment is None and self.context.place is not None
            articles = dict.fromkeys(each.partition("_")[0] for each in scope.narrow) if is_open else ()
            if is_open and not articles:  # any provision of the norm may have the label
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.NOT_PLACED)
                continue
            within = f"{scope.annex}_" if scope.annex is not None else ""
            fragments = [f"{each}_{relative}" for each in articles] or [fragment or relative]
            fragments = [each if each.startswith("anx") else f"{within}{each}" for each in fragments]
            begins = (
                occurrence.prefix == "dpg"
                and self.context.place is not None
                and begins_with_label(occurrence.text or "")
            )
            if begins or any(stem in ambiguous for stem in self_and_containers(occurrence.id)):
                refused = RefusalReason.AMBIGUOUS_LABEL
            elif occurrence.cut or _is_cut(occurrence.text or "", is_local=self.context.place is not None):
                refused = RefusalReason.PARTIAL_TEXT
            article = labels.get(occurrence.id.removesuffix("_cpt")) if occurrence.prefix == "cpt" else None
            holder = next((labels[stem] for stem in self_and_containers(occurrence.id) if stem in labels), None)
            for fragment in fragments:
                provision = _QuotedProvision(
                    occurrence,
                    fragment,
                    article,
                    refused,
                    group_of(holder, scope.annex) if holder is not None else None,
                    parts_left_out(quoted, index, address, scope.narrow, is_local=self.context.place is not None),
                    paragraphs_left_out(quoted, index, scope.narrow, is_local=self.context.place is not None),
                )
                self._add_quoted_provision(scope, provision)
        return shown

    def _add_quoted_provision(self, scope: _Scope, quoted: _QuotedProvision) -> None:
        occurrence, fragment, article, refused = quoted.provision, quoted.fragment, quoted.article, quoted.refused
        text = occurrence.text
        last = fragment.removesuffix("_cpt").rpartition("_")[2]
        lettered = "-" in last
        kind = OperationKind.INSERTION if scope.inserts or lettered else OperationKind.SUBSTITUTION
        vetoed = None
        if is_shown_repealed(occurrence):
            kind, text = OperationKind.REPEAL, None
            if quoted.paragraphs is Rest.UNDECIDED:  # the whole article is quoted by its caput alone
                fragment = fragment.removesuffix("_cpt")
        elif text is not None and is_vetoed(text.partition("\n")[0]):
            refused = RefusalReason.VETOED
        elif text is not None:
            text, vetoed = without_vetoed_penalty(text)
        position = None
        if kind is OperationKind.INSERTION and (before := preceding_provision(fragment)) is not None:
            position = scope.norm.with_fragmento(Fragmento((before,)))
        self.operations.append(
            Operation(
                scope.source,
                scope.norm.with_fragmento(Fragmento((fragment,))),
                kind,
                None if kind is OperationKind.REPEAL else (article or occurrence).label,
                text,
                (article or occurrence).heading,
                position=position,
                line=occurrence.line,
                refused=refused,
                group=quoted.group,
                parts=quoted.parts,
                paragraphs=quoted.paragraphs,
                replaces=not scope.inserts,
            )
        )
        if vetoed is not None:
            self.operations.append(
                Operation(
                    scope.source,
                    scope.norm.with_fragmento(Fragmento((f"{fragment}_pen1",))),
                    OperationKind.SUBSTITUTION,
                    vetoed["label"].strip(),
                    vetoed.string[vetoed.end() :],
                    line=occurrence.line,
                    refused=RefusalReason.VETOED,
                )
            )

    def _add_word_replacements(
        self, occurrence: Occurrence, text: str, source: Name | None, cited: Sequence[Citation], annex: str | None
    ) -> bool:
        """Add operations that replace words inside provisions. Return whether the text has such a formula.

        Args:
            annex: the annex that contains the provisions, if they are items of a list.
        """
        match = _EXPRESSION.search(text[:_LONGEST])
        targets = dict(expand_ranges(text, cited))
        if match is None or not targets:
            return False
        is_in_annex = ANNEX_WORD.search(text) and not any(fragment_of(citation).startswith("anx") for citation in cited)
        if (
            is_in_annex
            or len(list(_EXPRESSION.finditer(text[:_LONGEST]))) > 1
            or _BEYOND_EXPRESSION.search(folded(text))
            or is_any_range_open(text, cited)
            or (self.context.place is not None and unread_steps(_folded_without(cited, _unquoted(text)), ()))
        ):
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
            return True
        old, new = (match[1], match[2]) if match[1] is not None else (match[3], match[4])
        self.operations += [
            Operation(
                source,
                in_annex(name, annex),
                OperationKind.EXPRESSION,
                text=new.strip(),
                replaced=old.strip(),
                line=occurrence.line,
                letters=letters,
            )
            for name, letters in targets.items()
        ]
        if _SECOND.search(folded(re.sub(_QUOTED, "", _blanked(text, [match.span()])))):
            self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
        return True

    def _add_renumbering(
        self, occurrence: Occurrence, text: str, source: Name | None, cited: Sequence[Citation]
    ) -> list[tuple[int, int]]:
        """Add the renumberings of provisions. Return where the text has such formulas."""
        target = next(iter(cited), None)
        norm = parse_or_none(work_of(target)) if target is not None else None
        if target is None or norm is None:
            return []
        spans: list[tuple[int, int]] = []
        inserted = (each.target.canonical for each in self.operations if each.source == source)
        has_second = any(name.endswith("_par2") for name in inserted)
        for words, span in renumberings(text[:_LONGEST], has_second=has_second):
            spans.append(span)
            old, new = map(label_of_words, words)
            fragment = absolute_identifier(old.step, (fragment_of(target),)) if old is not None else None
            if old is None or fragment is None or new is None or old.prefix != new.prefix:
                self._add_not_understood(occurrence.line, occurrence, UnparsedReason.FORMULA)
                break
            stem, cut, _ = fragment.rpartition("_")
            becomes = norm.with_fragmento(Fragmento((f"{stem}{cut}{new.step}",)))
            self.operations.append(
                Operation(
                    source,
                    norm.with_fragmento(Fragmento((fragment,))),
                    OperationKind.RENUMBERING,
                    new.text,
                    line=occurrence.line,
                    becomes=becomes,
                )
            )
            for index, each in enumerate(self.operations):  # what has the new label is quoted with new words
                if each.source == source and each.target == becomes and each.kind is OperationKind.INSERTION:
                    self.operations[index] = replace(each, replaces=True)
        return spans

    def _add_not_understood(self, line: int, occurrence: Occurrence, code: UnparsedReason) -> None:
        text = " ".join(filter(None, (occurrence.label, occurrence.heading, occurrence.text)))
        order = self.orders.get(occurrence.id.partition("_alt")[0]) if occurrence.quoted else occurrence
        is_order = self.context.place is not None and code is not UnparsedReason.COMMENCEMENT
        named = self._named_by(order) if order is not None and is_order else ()
        self.left.append(UnparsedText(line, text, code, tuple(named)))

    def _named_by(self, occurrence: Occurrence) -> Iterator[str]:
        """Yield the provisions and norms that an order names, without those of the act itself."""
        text = with_usual_labels(occurrence.text or "")
        if not (_changes(folded(text)) or may_order(folded(text)) or self._is_on_amended(text)):
            return
        is_unnamed = self.unnamed is not None and self.unnamed.is_meant_by(text, self.context)
        norm = self.unnamed.name.canonical if self.unnamed is not None and is_unnamed else None
        within = norm or (self.act.canonical if self.act is not None else None)
        every = cited_with_annexes(text, within, norm, self.context)
        others = [citation for citation in citations_of_changed(text, every) or every if not self._is_own(citation)]
        own = (each for each in every if self._is_own(each) and not OF_ACT.match(text, each.end))
        if self.unnamed is not None and self.unnamed.is_of_type:  # "..., revogando-se o art. 7º."
            yield from (f"{self.unnamed.name.canonical}!{step}" for step in map(fragment_of, own) if step)
        names = dict.fromkeys(name for name, _ in expand_ranges(text, others))
        placed = [name for name in names if name.fragmento is not None]
        parts = {name.work for name in placed}
        yield from (name.canonical for name in names if name.fragmento is not None or name not in parts)
        articles = dict.fromkeys(name.canonical.partition("_")[0] for name in placed)
        steps = unread_steps(_folded_without(every, text), {article.partition("!")[2] for article in articles})
        if len(works := {name.work.canonical for name in names}) == 1:
            yield from dict.fromkeys(f"{works.pop()}!{step}" for step in steps if step.startswith("art"))
        if _DISTRIBUTED.search(folded(text)) is not None:
            yield from articles
        elif len(articles) == 1:
            article = next(iter(articles))
            inner = (step for step in steps if not step.startswith("art"))
            yield from dict.fromkeys(f"{article}_{step}" if step.startswith("par") else article for step in inner)


def _on(operation: Operation, stated: Mapping[Name, Name]) -> Operation:
    """Return an operation on the norm with its full name, if the act states it elsewhere."""
    norm = stated.get(operation.target.work)
    if norm is None:
        return operation
    target, position, becomes = (
        name if name is None else norm.with_fragmento(name.fragmento)
        for name in (operation.target, operation.position, operation.becomes)
    )
    return replace(operation, target=target or norm, position=position, becomes=becomes)


def _is_cut(text: str, *, is_local: bool) -> bool:
    """Return whether the words of a quoted provision are not complete, or contain another provision."""
    balance = text.count("“") - text.count("”")
    if balance == -1 and INCHES.search(text) is not None:
        balance = 0
    if not is_local:
        return balance < 0
    return (
        balance != 0
        or _GLUED.search(text) is not None
        or any(is_row_of_dots(line.rstrip("’”»\"'.;,")) for line in text.split("\n"))
    )


def _unquoted(text: str) -> str:
    """Return a text of the same length with spaces for its short quotations."""
    return re.sub(_QUOTED, lambda match: " " * len(match[0]), text)


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length with spaces for some of its parts."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _annex_of_list(text: str, annexes: Collection[str | None], context: _Announced | None) -> str | None:
    """Return the annex of the list that contains a text; None if it states itself where its provisions are."""
    if context is None or annexes or _NORM_WORD.search(folded(text)) is not None:
        return None
    return context.annex


def _announced(order: _Order) -> _Announced | None:
    """Return what a formula above a list names: one norm, and at most one annex and one article or part of it.

    A provision that the formula itself repeals, and not only parts of it ("Fica revogado o art. 3º:"), is none.
    """
    text, others, annexes, context = order.text, order.others, order.annexes, order.context
    norms = {work_of(citation) for citation in others}
    if not norms and annexes and context is not None:
        norms = {context.norm}
    parts = {fragment for citation in others if (fragment := fragment_of(citation)) and not _ANNEX.fullmatch(fragment)}
    if len(norms) != 1 or len(parts) > 1:
        return None
    named = [text[: each.start] for each in others if fragment_of(each) in parts]
    whole = re.search(r"(?<!\w)os? anexos?\b", text, re.I) is not None
    if CHANGES.search(folded(text)) is None and (whole or not all(map(_PART_OF.search, named))):
        return None
    annex, part = _annex_of_list(text, annexes, context), next(iter(parts), None)
    if part is not None and part.startswith("anx"):
        annex, _, part = part.partition("_")
    elif len(annexes) == 1:
        annex = next(iter(annexes))
    return _Announced(norms.pop(), annex, bool(annexes) and annex is None, part or None)


def _with_container(text: str, fragment: str) -> str:
    """Return an item of a list with the article that contains its provision, from the formula above the list.

    >>> _with_container("o inciso I do caput; e", "art5"), _with_container("o § 2º passa a vigorar:", "art5")
    ('o inciso I do caput do art. 5º; e', 'o § 2º do art. 5º passa a vigorar:')
    """
    plain = folded(text)
    if not text or re.search(r"\barts?\b|\bartigos?\b", plain) or _NORM_WORD.search(plain):
        return text
    verb = CHANGES.search(text.casefold())
    end = verb.start() if verb is not None else 0
    end = end or len(text.rstrip(" .,;:").removesuffix(" e").rstrip(" ,;"))
    words = text[:end].rstrip(), f"d{'a' if is_feminine_provision(fragment) else 'o'}", provision_name(fragment)
    return " ".join(filter(None, words)) + (" " if text[end:][:1].isalpha() else "") + text[end:]


def _provisions_of_order(text: str, scope: _Scope, others: Sequence[Citation]) -> Iterator[str]:
    """Yield the identifiers of the provisions that an order names as those that get new words."""
    verb = CHANGES.search(text.casefold())
    second = _SECOND.search(text.casefold(), verb.end() if verb is not None else 0)
    end = second.start() if second is not None else len(text)
    before = [each for each in others if verb is not None and each.start < verb.start()]
    cited = [each for each in before or others if each.start < end]
    beside = next((index for index, each in enumerate(cited) if _BESIDE.search(text[: each.start])), len(cited))
    fragments = (name.canonical.partition("!")[2] for name, _ in expand_ranges(text, cited[:beside]))
    named = [fragment.removeprefix(f"{scope.annex}_") for fragment in fragments if fragment]
    yield from named
    if scope.summary:
        yield "ementa"
    inserts = _INSERTS.search(text.casefold())
    articles = {match[0] for fragment in named if (match := re.match(r"art[0-9]+(?:-[0-9]+)*", fragment))}
    if inserts is None or len(articles) > 1 or (named and not articles):
        return
    added = _ADDED.search(text, max([inserts.end(), *(each.end for each in others)]), end)
    base = next(iter(named), "")
    if added is None:
        return
    stop = added.end()
    while stop < end and (token := _OF_LIST.match(text, stop)):
        stop = token.end()
    words = text[added.end() : stop].rstrip(" ,")
    if words.isalpha():
        return  # it names only a kind: "acrescido das seguintes alíneas:"
    listed = f"{words} d{'a' if is_feminine_provision(base) else 'o'} {provision_name(base)}" if base else words
    found = cite_ends(listed, Context(norm=scope.norm.canonical))
    yield from (name.canonical.partition("!")[2] for name, _ in expand_ranges(listed, found))


def _changes(plain: str) -> bool:
    """Return whether a folded text may order a change."""
    patterns = (_REPEALS, _SUPPRESSES, CHANGES, _ORDERS, _INSERTS, _REWORDS, _REVALUES)
    return any(pattern.search(plain) is not None for pattern in patterns)


def orders_change(plain: str) -> bool:
    """Return whether a folded text orders a change by a verb that has no other use in laws."""
    return any(pattern.search(plain) is not None for pattern in (_REPEAL_ORDER, CHANGES, _SUPPRESSES))


def _numbers_of_articles(text: str, others: Sequence[Citation], *, is_exact: bool) -> frozenset[str] | None:
    """Return the numbers in a formula whose only targets are articles and their parts; None for another formula.

    Args:
        is_exact: whether only the numbers of these articles count.
    """
    if not others or not all(fragment_of(citation).startswith("art") for citation in others):
        return None
    expanded = (name.canonical.partition("!")[2] for name, _ in expand_ranges(text, others))
    numbers = re.findall(r"[0-9]+", "" if is_exact else _NORM_NUMBER.sub("", text).replace(".", ""))
    return frozenset(numbers) | {match[1] for each in expanded if (match := _ARTICLE_NUMBER.match(each))}


def _folded_without(cited: Sequence[Citation], text: str) -> str:
    """Return a text without its citations, folded."""
    rest = list(text)
    for citation in cited:
        end = min(citation.end, len(rest))
        rest[citation.start : end] = " " * max(0, end - citation.start)
    return folded("".join(rest))

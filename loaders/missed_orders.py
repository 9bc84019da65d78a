"""Finds orders of acts of states and municipalities that the readers of orders do not understand.

Such acts use many verbs and labels. What they order and is not read must be listed, or an old text would be shown as
in force without a word.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from graph.wording.folding import folded
from graph.wording.numerals import from_letters, from_ordinal, from_roman

_PART = (
    r"(?:\bcaput|\bart[.ºo°]*(?=[ \d])|arts?\b|artigos?\b|§|par[.]|paragrafos?\b|inc[.]|incisos?\b|alineas?\b|letras?\b"
    r"|ite(?:m|ns)\b|(?:texto|redacao|dispositivos?) d[aeo]s?\b)"
)
_OBJECT = (
    rf",?(?: \w+)?,?(?: (?:ao?s?|os?|n[ao]s?|d[aeo]s?|nov[oa]s?|seguintes?|mais|um|uma|de um|de uma)\b)*,? {_PART}"
)
_VERB = (
    r"(?:adit|adicion|acresc|acrescent|inclu|inser|insir|cri(?=[ae])|exclu(?!siv)|elimin|cancel|exting|extint|retir|derrog|ab-?rog|suprim"
    r"|revog|substitu|alter|modific|retific|corrig|reformul|desdobr|desmembr|repristin|restaur|restabelec|revigor|reescrev"
    r"|anul|renumer|transform|convert)\w*?"
)
#: An order on the force of a whole norm, which no operation expresses.
ON_FORCE = (
    r"\bfica\w* (?:repristinad|revigorad)|\b(?:repristina|revigora)\w*-se"
    r"|\b(?:(?:fica\w*|e|sao) (?:restaurad|anulad|suspens|prorrogad|extint|cancelad)[oa]s?"
    r"|(?:restaur|anul|suspend|prorrog|extingu|cess)\w+(?:-se)?|declarad[oa]s? (?:nul[oa]s?|insubsistentes?)"
    r"|declarad[oa] a nulidade d[aeo]s?)"
    r"(?:,[^,;.]{0,60},| (?:ate|para|por) (?!lei|decreto|resoluc|portaria)[^,;.]{0,60}?)?,? ?"
    r"(?:(?:(?:a|as|o|os|n[oa]s?) (?:prazo d[ae] |inicio d[ae] |termo inicial d[ae] )?"
    r"(?:vigencia|vacatio legis|entrada em vigor|eficacia|efeitos|aplicacao|execucao) d[aeo]s? )?"
    r"|[oa]s? )(?:lei|decreto|resoluc|portaria|codigo|instrucao normativa)"
)
#: A verb at the beginning of an order, in a passive clause, or after its object, with a provision as the object.
_ORDER = re.compile(
    rf"^\W*{_VERB}(?:-se)?{_OBJECT}"
    rf"|\b(?:fica\w*|e|sao|seja\w*|sera\w*|torna\w*(?:-se)?) (?:\w+ )?(?:{_VERB}|sem efeito){_OBJECT}"
    rf"|{_PART}.{{0,200}}?\b(?:fica\w*|sera\w*|e|sao) (?:\w+ )?(?:revog|suprim|exclu(?!siv)|elimin|cancel|exting"
    r"|extint|derrog|modific|substitu|retific|sem efeito|assim redigid)"
    rf"|{_PART}.{{0,200}}?\b(?:(?:pass|volt)[ae]\w* a (?:vig|ter|ser|constar|figurar|exist|reger|ler|conter"
    r"|possuir|dizer)"
    r"|tera\w* (?:a |o |nova |seguinte )*(?:redacao|teor)|deixa\w* de (?:vig|exist|ter|constar)"
    r"|perde\w* (?:a |sua )?(?:vigencia|eficacia))"
    r"|\b(?:pass[ae]\w* a (?:vig|ter|ser|constar|exist|reger|ler)\w*|le-se|leia-se|de-se|da-se|dar-se-a|deem-se)"
    rf"{_OBJECT}"
    r"|\bpass[ae]\w* a (?:vig|ter|existir|constar).{0,60}(?:redacao|redigid)"
    r"|\b(?:suspens[oa]s?|suspend\w+|cessa\w*)(?:-se)?(?:,[^,;.]{0,60},)? "
    rf"(?:(?:a|os) (?:vigencia|eficacia|efeitos?|aplicacao|execucao) d[aeo]s? )?(?:[oa]s? )?{_PART}"
    rf"|\bnova redacao\b.{{0,80}}{_PART}|\b(?:seguinte|esta) (?:redacao|teor):?\W*$|\bdisposicoes d[aeo]s? {_PART}"
)
#: A verb that takes provisions out of a norm, with a provision as its object.
_TAKEN_OUT = re.compile(
    r"(?:(?:(?<=\bfica )|(?<=\bficam )|(?<=\bé )|(?<=\bsão ))(?:exclu[íi]|elimina|retira|cancela)d(?P<ending>[oa]s?)"
    r"|^(?:exclu[ai]m?|elimin[ae]m?|retir[ae]m?|cancel[ae]m?)-se)"
    r"(?= [oa]s? (?:caput|§|arts?\b|artigos?|par[áa]grafos?|incisos?|al[íi]neas?|letras?|ite(?:m|ns)\b))",
    re.I,
)
#: Incisos called items, and numbers that text recognition misreads.
_ITEM = re.compile(r"\b([Ii])te(?:m|n)(s?)(?=\s[IVXLC]+\b)")
_SCANNED_ROMAN = re.compile(r"(?<=\b[Ii]nciso )(?=[I1|]*l)[Il1|]{1,3}(?!\w)")
_SCANNED_ONE = re.compile(r"(?<=§ )l(?=[º°])|(?<=§)l(?=[º°])")
#: Parts of the provision before them: "ao caput do art. 5º e aos seus §§", "o art. 5º, seu parágrafo único".
_TO_ITS = re.compile(r"\b(e) (?:aos?|às?) (?=(?:seu|sua)s?\b)")
_ITS = re.compile(r",\s(?=seus?\s(?:§|par|inc))")
#: A letter after its inciso: "art. 5º, II, a".
_LETTER = re.compile(r"(?<=[IVXLC], )(?=[a-z](?:[.;:]|,\s|$)|[a-df-np-z]\sd[ao]\s)")
_LABEL = re.compile(
    r"\W*(?:art[.ºo°]*|artigo|§|par[.]|paragrafo|inc[.]|inciso|alinea|letra|item) ?"
    r"(?:[0-9]|[ivxl]+\b|unico|[a-z]\W|\w+[oa]\b)"
)
_SEEMS_ROMAN = re.compile(r"[ivxlcdm1|]{2,}")
_NUMBERED = re.compile(
    r"(?P<kind>§|par[.]|paragrafos?|art[.ºo°]*|artigos?|inc[.]|incisos?|ite(?:m|ns)) ?(?:n[.ºo°]{1,2} ?)?"
    r"(?:(?P<number>[0-9]{1,4})(?P<letters>(?:-[a-z]{1,2}\b)*)|(?P<word>[a-z]+))"
)


def with_usual_words(text: str) -> str:
    """Return an order with the usual verb for one that takes provisions out, and the usual labels of provisions.

    >>> with_usual_words("Exclua-se o § 4º do art. 42."), with_usual_words("Ficam excluídos do art. 5º os servidores.")
    ('suprima-se o § 4º do art. 42.', 'Ficam excluídos do art. 5º os servidores.')
    >>> with_usual_words("o item II do § lº e o inciso ll, e aos seus §§"), with_usual_words("do art. 5º, II, a.")
    ('o inciso II do § 1º e o inciso II, e seus §§', 'do art. 5º, II, alínea a.')
    """
    usual = _TAKEN_OUT.sub(lambda match: f"suprimid{match['ending']}" if match["ending"] else "suprima-se", text)
    usual = _ITEM.sub(r"\1nciso\2", usual)
    usual = _SCANNED_ROMAN.sub(lambda match: re.sub("[l1|]", "I", match[0]), _SCANNED_ONE.sub("1", usual))
    return _LETTER.sub("alínea ", _TO_ITS.sub(r"\1 ", _ITS.sub(" e ", usual)))


def may_order(plain: str) -> bool:
    """Return whether a folded provision of an act may order a change of provisions.

    >>> may_order("fica excluido o inciso iii do art. 9 da lei organica."), may_order("adite-se o § 4 ao art. 42:")
    (True, True)
    >>> may_order("fica suspensa a vigencia do art. 5 da lei 99.901."), may_order("suspenso na forma do art. 5.")
    (True, False)
    >>> may_order("fica criado o fundo de que trata o art. 5 da lei 99.901.")
    False
    """
    return _ORDER.search(plain) is not None


def begins_with_label(text: str) -> bool:
    """Return whether words without a label begin with one in another form: "Inciso III - O prazo", "art. 5º O prazo".

    >>> begins_with_label("Inciso III - O prazo é anual."), begins_with_label("O inciso III é anual.")
    (True, False)
    """
    return _LABEL.match(folded(text)) is not None


def unread_steps(plain: str, known: Collection[str]) -> list[str]:
    """Return the articles, paragraphs and incisos that a folded text without its citations names, but for known ones.

    >>> unread_steps("de-se ao inciso ii, do § 3, do a seguinte redacao:", {"art12", "inc2"})
    ['par3']
    >>> unread_steps("o art. 6-a e o art. 6-b", {"art6-1"})
    ['art6-2']
    """
    found: list[str] = []
    for match in _NUMBERED.finditer(plain):
        prefix = {"a": "art", "i": "inc"}.get(match["kind"][0], "par")
        word = match["word"] or ""
        read = from_roman(word.upper()) if prefix == "inc" else from_ordinal(word)
        number = match["number"] or ("1u" if word == "unico" else str(read or ""))
        if prefix == "inc" and not number and _SEEMS_ROMAN.fullmatch(word):
            number = f"-{word}"  # a mistyped numeral, which is no step of an identifier
        lettered = (from_letters(part) for part in (match["letters"] or "").split("-") if part)
        step = f"{prefix}{number}" + "".join(f"-{letter}" for letter in lettered)
        if number and step not in known:
            found.append(step)
    return found

"""New words that an act gives without quotation marks, and quotations that are not new words."""

from __future__ import annotations

import re

from graph.wording.folding import folded
from graph.wording.numerals import letters, roman
from loaders.articulated.labels import Label

#: The end of a formula that new words follow.
_FORMULA = re.compile(
    r"\b(?:redac\w+|vigorar|vigora|viger|vigir|ter|alterac\w+|modificac\w+|acresc\w+|acrescent\w+|inclu\w+|inser\w+|segue|seguem"
    r"|passa\w*|substitu\w+|ementa|express\w+|palavras?|termos?|le-se|leia-se|denomin\w+|constar)\b"
)
_CHANGE = re.compile(
    r"\b(?:redac\w+|vigorar|vigora|viger|vigir|acresc\w+|acrescent\w+|inclu\w+|inser\w+)\b.{0,80}:\s*$"
    r"|\bredac\w+\.?\s*$|\b(?:teor|redigid\w+)\b.{0,20}:\s*$"
)
_ARTICLES = re.compile(
    r"\b(?:arts?\b\.?|artigos?)\s?(?:n\W{1,3})?((?:[0-9][0-9.]*\s?[ºo°]?(?:-[a-z])?(?:,\s|\se\s|\sa\s)?)+)"
)
_PARAGRAPHS = re.compile(r"(?:§§?|\bparagrafos?)\s?((?:[0-9]+\s?[ºo°]?(?:-[a-z])?(?:,\s|\se\s|\sa\s)?)+)")
#: The beginning, folded, of an article that an act itself has, and no norm that it quotes.
_OWN_ORDER = re.compile(
    r"\W*(?:est[ea] \w+(?: \w+){0,6} entra|revogam?-se|da nova redacao|(?:d[ea]|deem|dao)-se,? (?:nova|aos?|as?)\b"
    r"|ficam? (?:revogad|suprimid|acrescid|acrescentad|alterad|incluid|excluid|renumerad)"
    r"|(?:revog|suprim|alter|acrescent|inclu|exclu|modific|substitu|renumer|adit|elimin)\w*(?:-se)?,?"
    r" (?:a?os?|as?|n[oa]s?|d[oa]s?)\b)"
)
_NUMBERS = re.compile(r"[0-9][0-9.]*")


def introduces_words(text: str) -> bool:
    """Return whether a text that ends with a colon may be a formula before new words; an oath has another text.

    >>> introduces_words("O art. 5º passa a vigorar com a seguinte redação:")
    True
    >>> introduces_words("Na posse, o Presidente prestará o seguinte compromisso:")
    False
    """
    return _FORMULA.search(folded(text)) is not None


def begins_own_order(plain: str) -> bool:
    """Return whether folded words of an article are an order, or a clause of commencement, of the act itself.

    >>> begins_own_order("suprima-se o § 4 do art. 36."), begins_own_order("a camara suprime o cargo.")
    (True, False)
    """
    return _OWN_ORDER.match(plain) is not None


def names_as_new(formula: str, label: Label) -> bool:
    """Return whether a formula names the provision with a label as one that gets the words which follow.

    >>> from loaders.articulated.labels import read_label
    >>> formula = "O § 4º do art. 92 da Lei nº 99.901 passa a vigorar com a seguinte redação:"
    >>> [names_as_new(formula, read_label(text)) for text in ("§ 4º A Mesa", "Art. 92. A Mesa", "§ 5º A Mesa", "I - a")]
    [True, True, False, False]
    """
    plain = folded(formula)
    if _CHANGE.search(plain) is None:
        return False
    number = label.number.partition("-")[0]
    if label.prefix == "art":
        return _is_listed(_ARTICLES, plain, number)
    if label.prefix == "par":
        sole = re.search(r"\bparagrafo unico\b", plain) is not None
        return sole if label.number == "1u" else _is_listed(_PARAGRAPHS, plain, number)
    if not number.isdecimal():
        return False
    count = int(number)
    if label.prefix == "inc":
        return re.search(rf"\binc(?:iso)?s?\b[^:;]*?\b{roman(count).casefold()}\b", plain) is not None
    if label.prefix == "ali":
        return re.search(rf"\b(?:alinea|letra)s?\b[^:;]*?(?<![a-z]){letters(count)}(?![a-z])", plain) is not None
    return False


def names_letter(formula: str, label: Label, rival: Label) -> bool:
    """Return whether a formula names a provision with the letter of its rival label, which may also be a word.

    >>> from loaders.articulated.labels import read_label
    >>> label = read_label("Art. 5º A União")
    >>> names_letter("acrescida do art. 5º-A:", label, label.rival), names_letter("o art. 5º:", label, label.rival)
    (True, False)
    """
    if ("§" if label.prefix == "par" else "art") not in folded(formula):
        return False
    letter = letters(int(rival.number.rpartition("-")[2])).upper()
    number = re.escape(label.number)
    return re.search(rf"\b{number}\s?[oº°]?\s?-?\s?{letter}\b(?=\W)(?! [Dd][AEOaeo] )", formula) is not None


def _is_listed(pattern: re.Pattern[str], plain: str, number: str) -> bool:
    """Return whether a list of numbers, or a range in it, has a number."""
    for listed in pattern.finditer(plain):
        numbers = [each.replace(".", "") for each in _NUMBERS.findall(listed[1])]
        if number in numbers:
            return True
        if " a " in listed[1] and len(numbers) == 2 and number.isdecimal():
            return int(numbers[0]) <= int(number) <= int(numbers[1])
    return False

"""Labels in English; titles of bodies and types as the vocabulary gives them."""

from __future__ import annotations

import re
from datetime import date

from graph.urn import Name
from graph.urn.values import Descritor, Versao
from graph.vocabulary import Scheme
from graph.wording.labels.portuguese import EVENTS_LEFT_UNSAID, Portuguese
from graph.wording.labels.terms import humanised
from graph.wording.numerals import MONTHS_EN


class English(Portuguese):
    """The words of English; titles of bodies and types as the vocabulary gives them."""

    language = "en"
    provision = "provision"
    and_ = " and "
    number_signs = ("No.", "Nos.")
    no_number = "without number"

    def _shown(self, number: str) -> str:
        return number.replace(".", ",") if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:-\d{1,2})?", number) else number

    def _constitution(self, descritor: Descritor) -> str:
        year = descritor.datas[0].year if descritor.datas else descritor.ano
        return f"Federal Constitution of {year}" if year is not None else "Federal Constitution"

    def _when(self, name: Name) -> str:
        descritor = name.descritor
        if descritor.datas:
            days = self._listed([self.day(day) for day in descritor.datas])
            if descritor.periodo:
                days = self._between(*(self.day(day) for day in descritor.datas))
            return f" of {days}"
        if descritor.ano is not None:
            return f" of {descritor.ano}"
        return f", {humanised(descritor.epoca)}" if descritor.epoca is not None else ""

    def _between(self, first: str, last: str) -> str:
        return f"{first} to {last}"

    def day(self, day: date) -> str:
        """A civil date in words."""
        return f"{day.day} {MONTHS_EN[day.month - 1]} {day.year}"

    def _issuer(self, name: Name) -> str:
        said = super()._issuer(name)
        return said.removeprefix(",")

    def _authority(self, name: Name) -> str:
        known = self._vocabulary.concept(Scheme.AUTORIDADE, ",".join(map(";".join, name.autoridade)))
        return known.label_en if known is not None and known.label_en else super()._authority(name)

    def _of(self, name: Name) -> str:
        return f" of the {self._authority(name)}"

    def _of_place(self, name: Name, *, alone: bool) -> str:
        unit, *rest = name.local.detalhe
        known = self._place(name)
        if rest and not unit.startswith("justica."):
            return f" of the Municipality of {known}" if alone else f" ({known})"
        if rest or not alone:
            return f" ({known})"
        return " of the Federal District" if unit == "distrito.federal" else f" of the State of {known}"

    def _rectification(self, order: int) -> str:
        return f"rectification {order}"

    def of_document(self, name: Name) -> str:
        return "of the" if name.tipo_documento == ("constituicao",) else "of"

    def _foreign(self, parts: tuple[str, ...]) -> str:
        return f", version {', '.join(parts)}" if parts else ""

    def _asked(self, what: str, on: str) -> str:
        words = {"vigente": "in force", "eficaz": "in effect", "consultado": "as consulted"}
        return f", text {words.get(what, what)} on {on}"

    def _start(self, versao: Versao) -> str:
        if versao.palavra is not None:
            return self._words_of_version(versao.palavra)
        if versao.periodo:
            return f", text with the versions of {self._between(*map(self.day, versao.datas))}"
        if len(versao.datas) > 1:
            return f", text with the versions of {self._listed(list(map(self.day, versao.datas)))}"
        return f", text from {self.day(versao.datas[0])} on" if versao.datas else ""

    def _words_of_version(self, word: str) -> str:
        return {
            "versao.original": ", original text",
            "inicio.vigencia": ", text from its start of force",
            "multivigente": ", text with all versions",
            "data.evento": "",
        }.get(word, f", text {word}")

    def _event(self, versao: Versao) -> str:
        days = self._listed(list(map(self.day, versao.visao))) if versao.visao else ""
        if versao.evento in EVENTS_LEFT_UNSAID:
            return f"view of {days}" if versao.evento is None and days else ""
        known = self._vocabulary.concept(Scheme.EVENTO, versao.evento or "")
        said = (known.label_en or known.label).lower() if known is not None else humanised(versao.evento or "").lower()
        return f"{said} of {days}" if days else said

    def _concept(self, portuguese: str, english: str | None) -> str:
        return english or portuguese

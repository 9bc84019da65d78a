"""The fictional town as a folder of texts: Markdown, HTML, DOCX and plain text, in the wordings of several clerks."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import date
from html import escape
from pathlib import Path

import docx

from tests.support.town import FOLDER, TOWN, Edit, Norm, Town, article_of

_MONTHS = ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
           "novembro", "dezembro")  # fmt: skip
TITLES = {
    "lei": "Lei",
    "lei.complementar": "Lei Complementar",
    "decreto": "Decreto",
    "emenda.lei.organica": "Emenda à Lei Orgânica",
    "lei.organica": "Lei Orgânica",
}
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_DOTS = ("." * 60, "(...)", "[...]")


def long_day(day: date, first: str = "1º") -> str:
    """Return a day as an act writes it: 1º de março de 2001."""
    return f"{first if day.day == 1 else day.day} de {_MONTHS[day.month - 1]} de {day.year}"


def dotted(number: int) -> str:
    """Return a number with a point between its thousands."""
    return f"{number:,}".replace(",", ".")


def label(fragment: str) -> str:
    """Return the printed label of a provision; of a caput, that of its article."""
    step = fragment.removesuffix("_cpt").rpartition("_")[2]
    kind, number, letter = re.fullmatch(r"([a-z]+)(\d+)u?(?:-(\d+))?", step).groups()  # type: ignore[union-attr]
    if step == "par1u":
        return "Parágrafo único."
    ordinal = f"{number}{'º' if int(number) < 10 else ''}" + (f"-{chr(64 + int(letter))}" if letter else "")
    after = "." if int(number) > 9 or letter else ""
    return {"art": f"Art. {ordinal}{after}", "par": f"§ {ordinal}", "inc": f"{_ROMAN[int(number) % 10]} -"}[kind]


def place_of(fragment: str) -> str:
    """Return how a sentence names a provision: o inciso II do art. 3º."""
    steps = [step for step in fragment.split("_") if step != "cpt"]
    said = []
    for step in reversed(steps):
        text = label(step).rstrip(".-").strip()
        said.append({"art": f"art. {text[5:]}", "par": text, "inc": f"inciso {text}"}[step[:3]])
    return " do ".join(said).replace("Parágrafo único", "parágrafo único")


class FolderWriter:
    """Writes the texts of a town; the seed chooses the words and the format of each."""

    def __init__(self, town: Town, seed: int) -> None:
        self.town = town
        self.random = random.Random(seed)  # noqa: S311 - a test

    def write(self, folder: Path) -> Path:
        """Write a file for each norm that the folder has."""
        folder.mkdir(parents=True)
        for norm in self.town.norms.values():
            if FOLDER in norm.worded:
                lines = list(self.lines(norm))
                self.save(folder / f"{norm.kind.replace('.', '-')}-{norm.number}", lines)
        return folder

    def save(self, path: Path, lines: list[str]) -> None:
        kind = self.random.choice(["md", "html", "docx", "txt"])
        file = path.with_suffix(f".{kind}")
        if kind == "md":
            file.write_text("\n\n".join((f"# {lines[0]}", *lines[1:])), encoding="utf-8")
        elif kind == "html":
            body = "\n".join(f"<p>{escape(line)}</p>" for line in lines)
            file.write_text(f"<html><head><meta charset='utf-8'></head><body>{body}</body></html>", encoding="utf-8")
        elif kind == "docx":
            document = docx.Document()
            for line in lines:
                document.add_paragraph(line)
            document.save(str(file))
        else:
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    # The words of an act

    def lines(self, norm: Norm) -> Iterator[str]:
        some = self.random
        number = "" if norm.kind == "lei.organica" else f" nº {dotted(norm.number)}"
        town = f" do Município de {TOWN}" if norm.kind == "lei.organica" else ""
        yield f"{TITLES[norm.kind]}{town}{number}, de {long_day(norm.signed)}".upper().replace("Nº", "Nº") + "."
        yield self.summary(norm)
        if norm.kind in {"lei.organica", "emenda.lei.organica"}:
            yield f"A MESA DA CÂMARA MUNICIPAL DE {TOWN.upper()} promulga o seguinte:"
        elif norm.kind == "decreto":
            yield f"O PREFEITO MUNICIPAL DE {TOWN.upper()}, no uso de suas atribuições, DECRETA:"
        else:
            yield f"O PREFEITO DE {TOWN.upper()}, faço saber que a Câmara aprovou e eu sanciono a seguinte Lei:"
        yield from (f"{label(fragment)} {words}" for fragment, words in norm.words.items())
        for edit in norm.edits:
            yield from self.order(edit)
        last = len({article_of(each) for each in norm.words}) + len(norm.edits) + 1
        if norm.repeals:
            yield f"{label(f'art{last}')} {self.repeal(norm)}"
            last += 1
        closing = some.choice(
            ["", "", *(f", {verb} as disposições em contrário" for verb in ("revogadas", "revogando-se"))]
        )
        yield f"{label(f'art{last}')} {self.clause(norm)}{closing}."
        where = some.choice([TOWN, "Prefeitura Municipal de " + TOWN, "Câmara Municipal"])
        yield f"{where}, {long_day(norm.signed)}."
        yield some.choice(["FULANO DE TAL", "BELTRANA FICTÍCIA"])
        yield some.choice(["Prefeito Municipal", "Presidente da Câmara"])
        if FOLDER in norm.stated:
            short = f"{norm.published:%d/%m/%Y}"
            yield some.choice([
                f"Publicado no Diário Oficial nº {norm.id + 100}, de {short}",
                f"Este texto não substitui o publicado no JOM nº {norm.id} de {norm.published:%d.%m.%Y}.",
                f"Publicada no átrio da Prefeitura em {long_day(norm.published)}.",
                f"Publicado no Diário Oficial do Município em {short}",
            ])  # fmt: skip

    def summary(self, norm: Norm) -> str:
        if norm.repeals:
            return f"Revoga {self.designation(norm.repeals[0])}."
        if norm.edits:
            return f"Altera {self.designation(norm.edits[0].target)}."
        return f"Dispõe sobre a matéria fictícia {norm.id} e dá outras providências."

    def designation(self, target: int, article: str = "a") -> str:
        """Return the name of a norm with its article: a Lei nº 99.901, de ..."""
        of = self.town.norms[target]
        if of.kind == "lei.organica":
            said = self.random.choice(["Lei Orgânica do Município", f"Lei Orgânica do Município de {TOWN}"])
            return f"{article} {said}"
        article = {"a": "o", "da": "do"}[article] if of.kind == "decreto" else article
        title = f"{article} {TITLES[of.kind]} nº {dotted(of.number)}"
        forms = [f"{title}, de {long_day(of.signed)}", f"{title}, de {of.signed.year}", f"{title}/{of.signed.year}"]
        return self.random.choice(forms)

    def repeal(self, norm: Norm) -> str:
        ended = [self.designation(each) for each in norm.repeals]
        if len(ended) == 1:
            of = ended[0]
            gender = "o" if of.startswith("o ") else "a"
            return self.random.choice([f"Fica revogad{gender} {of}.", f"Revoga-se {of}.", f"É revogad{gender} {of}."])
        return f"Ficam revogadas {' e '.join(ended)}."

    def clause(self, norm: Norm) -> str:
        some = self.random
        names = {"decreto": "Este Decreto", "emenda.lei.organica": "Esta Emenda"}
        this = names.get(norm.kind, f"Esta {TITLES[norm.kind]}")
        if isinstance(norm.clause, date):
            said = some.choice(["a partir de", "em"])
            return f"{this} entra em vigor {said} {long_day(norm.clause)}"
        if isinstance(norm.clause, int):
            days = f"{norm.clause} dias"
            said = some.choice([
                f"{days} após sua publicação",
                f"após decorridos {days} de sua publicação oficial",
                f"no prazo de {days} contados da data de sua publicação",
            ])  # fmt: skip
            return f"{this} entra em vigor {said}"
        return f"{this} {some.choice(['entra em vigor', 'entrará em vigor'])} na data de sua publicação"

    # Orders

    def order(self, edit: Edit) -> Iterator[str]:
        """Yield the article of an act that orders a change, in one of the forms that acts have."""
        some = self.random
        head = label(f"art{edit.order}")
        of = self.designation(edit.target, "da")
        where = place_of(edit.fragment)
        if edit.kind in {"repeal", "suppression"}:
            ends = ["Fica revogado", "Revoga-se", "É revogado"]
            verb = some.choice(ends if edit.kind == "repeal" else ["Fica suprimido", "Suprime-se"])
            yield f"{head} {verb} o {where} {of}."
            return
        if edit.fragment.endswith("_cpt"):
            where = where if edit.kind == "insertion" else f"caput do {where}" if some.random() < 0.4 else where
        if edit.kind == "substitution":
            own = [each for each in self.known(edit.target) if article_of(each) == article_of(edit.fragment)]
            if edit.fragment.endswith("_cpt") and "caput" not in where and len(own) > 1:
                where = f"caput do {where}"
            verb = some.choice(["passa a vigorar com", "passa a ter", "passa a viger com"])
            yield f"{head} O {where} {of} {verb} a seguinte redação:"
        else:
            yield f"{head} " + some.choice([
                f"Fica acrescido o {where} à {of[3:]}, com a seguinte redação:",
                f"Acrescenta-se o {where} à {of[3:]}, com a seguinte redação:",
                f"Fica incluído o {where} n{of[1:]}, com a seguinte redação:",
            ]).replace("à Decreto", "ao Decreto")  # fmt: skip
        yield from self.quotation(edit)

    def known(self, target: int) -> set[str]:
        changes = {edit.fragment for norm in self.town.norms.values() for edit in norm.edits if edit.target == target}
        return set(self.town.norms[target].words) | changes

    def quotation(self, edit: Edit) -> Iterator[str]:
        some = self.random
        opening, closing = some.choice([("“", "”"), ('"', '"')])
        ending = some.choice(["", " (NR)"]) if edit.kind == "substitution" else some.choice(["", " (AC)"])
        own = f"{label(edit.fragment)} {edit.words}"
        within = not edit.fragment.endswith("_cpt") and some.random() < 0.6
        if within:
            dots = some.choice(_DOTS)
            yield f"{opening}{label(article_of(edit.fragment))} {dots}"
            yield f"{own}{closing}{ending}"
        else:
            yield f"{opening}{own}{closing}{ending}"

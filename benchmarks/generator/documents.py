"""Fictional norms in LexML XML: one of the size of a constitution, codes and laws.

Most norms are one document with the history of its provisions. :func:`editions` yields one norm as a complete text for
each of its versions, like the consolidated texts of providers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random

from benchmarks.generator.norms import LAST_DAY

__all__ = ["CONSOLIDATED", "CONSTITUTION", "documents", "editions", "write", "write_editions"]

_NUMBERS = 20_000_000
_WORDS = "Este dispositivo fictício trata de uma matéria fictícia, nos termos que ele mesmo diz"
#: An article has a caput, three items and three paragraphs: eight provisions with itself.
_PARTS = tuple(f"cpt_inc{item}" for item in (1, 2, 3)) + tuple(f"par{paragraph}" for paragraph in (1, 2, 3))
_TAGS = {"cpt": "Caput", "inc": "Inciso", "par": "Paragrafo"}

CONSTITUTION = f"urn:lex:br:federal:constituicao:1988-10-04;{_NUMBERS}"
#: The norm that has a complete text for each version.
CONSOLIDATED = f"urn:lex:br:federal:lei:1988-10-04;{_NUMBERS - 1}"
#: The numbers of provisions that an edition changes, of editions to an inserted article, and of articles in a chapter.
_CHANGED, _INSERTING, _IN_CHAPTER = 5, 4, 20


@dataclass(frozen=True, slots=True)
class _Shape:
    name: str
    published: date
    articles: int
    amendments: int
    #: The number of provisions that one amendment changes.
    changes: int


def documents(works: int, seed: int) -> Iterator[str]:
    """Yield LexML XML for that many works: a constitution, a code for each 20,000 works, a law for each 500."""
    for shape in _shapes(works):
        yield _document(shape, Random(f"{seed}/{shape.name}"))


def write(folder: Path, works: int, seed: int) -> int:
    """Write a file for each document; return the number of files."""
    written = 0
    for text in documents(works, seed):
        (folder / f"documento-{written:05d}.xml").write_text(text, "utf-8")
        written += 1
    return written


def editions(count: int, articles: int, seed: int = 1) -> Iterator[tuple[date, str]]:
    """Yield a complete text for each version of one norm, with its first day, in order.

    Each article is in a chapter and has eight provisions, including itself. A text differs from the previous one in a
    few provisions; some texts have one more article.
    """
    random = Random(f"{seed}/{CONSOLIDATED}")
    numbers = [str(number) for number in range(1, articles + 1)]
    chapters = [numbers[start : start + _IN_CHAPTER] for start in range(0, articles, _IN_CHAPTER)]
    wordings: dict[str, int] = {}
    day = date(1988, 10, 5)
    for edition in range(count):
        event = "alteracao" if edition else "publicacao"
        yield (
            day,
            (
                '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
                f'<Identificacao URN="{CONSOLIDATED}@{day};{event};{day}"/></Metadado><Norma><Articulacao>'
                f"{''.join(_chapter(index, chapter, wordings) for index, chapter in enumerate(chapters, 1))}"
                "</Articulacao></Norma></LexML>"
            ),
        )
        day += timedelta(days=random.randrange(40, 240))
        for number in random.choices(numbers, k=_CHANGED):
            changed = f"art{number}_{random.choice(('cpt', *_PARTS))}"
            wordings[changed] = wordings.get(changed, 1) + 1
        if edition % _INSERTING == 0:
            after = random.choice(numbers)
            chapter = next(chapter_articles for chapter_articles in chapters if after in chapter_articles)
            if f"{after}-1" not in chapter:
                chapter.insert(chapter.index(after) + 1, f"{after}-1")


def write_editions(folder: Path, count: int, articles: int, seed: int = 1) -> list[date]:
    """Write a file for each text of :func:`editions`; return their first days."""
    days = []
    for day, text in editions(count, articles, seed):
        (folder / f"edicao-{day}.xml").write_text(text, "utf-8")
        days.append(day)
    return days


def _chapter(number: int, articles: Sequence[str], wordings: Mapping[str, int]) -> str:
    inside = "".join(_consolidated(article, wordings) for article in articles)
    return f'<Capitulo id="cap{number}"><Rotulo>Capítulo {number}</Rotulo>{inside}</Capitulo>'


def _consolidated(number: str, wordings: Mapping[str, int]) -> str:
    start = f"art{number}"

    def part(name: str, held: str = "") -> str:
        provision = f"{start}_{name}"
        tag = _TAGS[name.rpartition("_")[2][:3]]
        label = "" if tag == "Caput" else f"<Rotulo>{name[-1]}</Rotulo>"
        words = f"{_WORDS} (redação {wordings.get(provision, 1)})"
        return f'<{tag} id="{provision}">{label}<p>{words}.</p>{held}</{tag}>'

    items = "".join(map(part, _PARTS[:3]))
    return (
        f'<Artigo id="{start}"><Rotulo>Art. {number}.</Rotulo>{part("cpt", items)}'
        f"{''.join(map(part, _PARTS[3:]))}</Artigo>"
    )


def _shapes(works: int) -> Iterator[_Shape]:
    yield _Shape(CONSTITUTION, date(1988, 10, 5), 875, 140, 20)
    number = _NUMBERS
    for count, kind, articles, amendments, changed in (
        (works // 20_000, "lei.complementar", 250, 40, 10),
        (works // 500, "lei", 10, 3, 2),
    ):
        for _ in range(count):
            number += 1
            signed = date(1960, 1, 1) + timedelta(days=number * 37 % 18_000)
            name = f"urn:lex:br:federal:{kind}:{signed};{number}"
            yield _Shape(name, signed + timedelta(days=1), articles, amendments, changed)


def _document(shape: _Shape, random: Random) -> str:
    days = [shape.published]
    for left in range(shape.amendments, 0, -1):
        days.append(
            days[-1] + timedelta(days=random.randrange(5, max(6, 2 * (LAST_DAY - days[-1]).days // (left + 1))))
        )
    provisions = [f"art{a}_{part}" for a in range(1, shape.articles + 1) for part in ("cpt", *_PARTS)]
    amended: dict[str, list[int]] = {}
    for number in range(1, len(days)):
        for provision in random.sample(provisions, shape.changes):
            amended.setdefault(provision, []).append(number)
    articulation = "".join(_article(article, amended) for article in range(1, shape.articles + 1))
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
        f'<Identificacao URN="{shape.name}@{shape.published};publicacao;{shape.published}"/><CicloDeVida>'
        f'<Evento id="e0" data="{shape.published}"><Publicacao/></Evento>'
        f'<Evento id="v" data="{shape.published}"><EntradaEmVigor/></Evento>'
        f"{''.join(_event(shape, number, days[number]) for number in range(1, len(days)))}</CicloDeVida></Metadado>"
        f"<Norma><Articulacao>{articulation}</Articulacao></Norma></LexML>"
    )


def _event(shape: _Shape, number: int, day: date) -> str:
    kind = shape.name.split(":")[4]
    by = f"urn:lex:br:federal:emenda.{kind}:{day};{int(shape.name.rpartition(';')[2]) * 1_000 + number}"
    source = f' FonteURN="{by}@{day};publicacao;{day}"'
    return (
        f'<Evento id="e{number}" data="{day}"><AlteracaoFragmento><ModificacaoTextual{source}/>'
        "</AlteracaoFragmento></Evento>"
    )


def _article(article: int, amended: dict[str, list[int]]) -> str:
    start = f"art{article}"
    items = "".join(_wordings(f"{start}_{part}", amended) for part in _PARTS[:3])
    paragraphs = "".join(_wordings(f"{start}_{part}", amended) for part in _PARTS[3:])
    return (
        f'<Artigo id="{start}"><Rotulo>Art. {article}.</Rotulo>'
        f"{_wordings(f'{start}_cpt', amended, items)}{paragraphs}</Artigo>"
    )


def _wordings(provision: str, amended: dict[str, list[int]], held: str = "") -> str:
    """Return a provision with each of its wordings in turn; the first contains the provisions below it."""
    part = provision.rpartition("_")[2]
    tag = _TAGS[part[:3]]
    label = "" if tag == "Caput" else f"<Rotulo>{part[3:]}</Rotulo>"
    events = amended.get(provision, [])
    written = []
    for position in range(len(events) + 1):
        begins = f' eventoInicial="#e{events[position - 1]}"' if position else ""
        ends = f' eventoFinal="#e{events[position]}"' if position < len(events) else ""
        words = f"{_WORDS} (redação {position + 1})"
        if position and part == "par1":
            words += f', observada a <span xlink:href="{CONSTITUTION}">Constituição fictícia</span>'
        inside = held if not position else ""
        written.append(f'<{tag} id="{provision}"{begins}{ends}>{label}<p>{words}.</p>{inside}</{tag}>')
    return "".join(written)

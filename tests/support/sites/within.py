"""The store of the cases of pages: within."""

from __future__ import annotations

from pathlib import Path

from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from service.web.pages.history import MOST_INNER

LAW = "urn:lex:br:federal:lei:2001-03-05;"
#: A veto overturned in 2002; an article annulled from 2015 on, by a decision of 2012.
VETOED = f"{LAW}99910"
#: An article revoked in 2016 and one restored on an unknown day of 2018, each by a fact of a curator.
CURATED = f"{LAW}99920"
#: The first is a norm that no record describes: a fact states that it was revoked. The second has no words.
TOLD = "urn:lex:br:federal:lei:1950;99971"
WORDLESS = f"{VETOED}!art9"
#: The first is suspended from 2020 to 2022 and from 2990 on; the second is revoked from 2020 and restored from 2990.
PAUSED = f"{LAW}99930"
RETURNED = f"{LAW}99931"
#: A chapter of many articles, of which one is revoked each year.
CROWDED = f"{LAW}99940"
#: The caput of its article was reworded WORDINGS times, on the first day of each month from 2002 on.
REWORDED, WORDINGS = f"{LAW}99945", 50
_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink">
  <Metadado>
    <Identificacao URN="{norm}@2001-06-01;publicacao;2001-03-06"/>
    <CicloDeVida>
      <Evento id="publicacao" data="2001-03-06"><Publicacao/></Evento>
      <Evento id="vigor" data="2001-06-01"><EntradaEmVigor/></Evento>{events}
    </CicloDeVida>
  </Metadado>
  <Norma>
    <ParteInicial><Epigrafe id="epigrafe">Lei fictícia</Epigrafe></ParteInicial>
    <Articulacao>{articles}</Articulacao>
  </Norma>
</LexML>"""
_JUDGED = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2012-02-01;99911@2015-01-01;publicacao;2012-03-01"
_VETO = f"""
<Evento id="veto" data="2002-03-01"><DerrubadaVetoParcial AlvoLocal="art2"/></Evento>
<Evento id="anul" data="2012-03-01"><AnulamentoParcial FonteURN="{_JUDGED}" AlvoLocal="art3"/></Evento>"""
_ENDED = "urn:lex:br:federal:lei:2004-12-01;99941@2005-01-01;publicacao;2004-12-02"
_REVOKED = f"""
<Evento id="rev" data="2005-01-01"><AlteracaoFragmento><RevogacaoParcial FonteURN="{_ENDED}" AlvoLocal="art2"/>
</AlteracaoFragmento></Evento>"""
#: Curated facts: the name, the event, the day of effect, and that of knowledge; a year alone is a text.
_FACTS = (
    (f"{CURATED}!art3", "revogacao", "2016-01-01", "2015-12-01"),
    (f"{CURATED}!art2", "repristinacao", '"2018"', '"2018"'),
    (TOLD, "revogacao", "1960-01-01", "1960-01-01"),
    (WORDLESS, "revogacao", '"2010"', '"2011"'),
    (f"{CURATED}!art1", "suspensao", "2016-01-01", "2015-12-01"),
    (PAUSED, "publicacao", "2001-03-06", "2001-03-06"),
    (PAUSED, "suspensao", "2020-02-01", "2020-02-01"),
    (PAUSED, "restabelecimento", "2022-02-01", "2022-02-01"),
    (PAUSED, "suspensao", "2990-01-01", "2022-02-01"),
    (RETURNED, "publicacao", "2001-03-06", "2001-03-06"),
    (RETURNED, "revogacao", "2020-01-01", "2020-01-01"),
    (RETURNED, "repristinacao", "2990-01-01", "2022-02-01"),
    *((f"{CROWDED}!art{n}", "revogacao", f"{2010 + n}-01-01", "2005-01-01") for n in range(1, MOST_INNER + 3)),
)


def _article(number: int, words: str, marks: str = "") -> str:
    return (
        f'<Artigo id="art{number}" {marks}><Rotulo>Art. {number}º</Rotulo>'
        f'<Caput id="art{number}_cpt"><p>{words}</p></Caput></Artigo>'
    )


def build(folder: Path) -> Path:
    """Make a store of these laws."""
    vetoed = [
        _article(1, "Ponte um."),
        _article(2, "(VETADO)", 'situacao="vetado" eventoFinal="#veto"'),
        _article(2, "Ponte dois.", 'eventoInicial="#veto"'),
        _article(3, "Ponte três.", 'eventoFinal="#anul"'),
    ]
    held = (_article(2, "Lua dois.", 'eventoFinal="#rev"'), _article(3, "Lua três."))
    chapter = f'<Capitulo id="cap1"><Rotulo>CAPÍTULO I</Rotulo>{"".join(held)}</Capitulo>'
    curated = [_article(1, "Lua um."), chapter]
    days = [f"{2002 + index // 12}-{index % 12 + 1:02d}-01" for index in range(WORDINGS)]
    amended = "".join(
        f'<Evento id="m{index}" data="{day}"><AlteracaoFragmento><ModificacaoTextual AlvoLocal="art1_cpt" '
        f'FonteURN="urn:lex:br:federal:lei:{day};{99800 + index}@{day};publicacao;{day}"/>'
        "</AlteracaoFragmento></Evento>"
        for index, day in enumerate(days)
    )
    ends = [f'eventoFinal="#m{index}"' for index in range(WORDINGS)]
    begins = ["", *(f'eventoInicial="#m{index}"' for index in range(WORDINGS))]
    caputs = "".join(
        f'<Caput id="art1_cpt" {begin} {end}><p>Sol {index}.</p></Caput>'
        for index, (begin, end) in enumerate(zip(begins, [*ends, ""], strict=True))
    )
    reworded = [f'<Artigo id="art1"><Rotulo>Art. 1º</Rotulo>{caputs}</Artigo>', _article(2, "Fixo.")]
    many = "".join(_article(number, "Estrela.") for number in range(1, MOST_INNER + 3))
    crowded = [f'<Capitulo id="cap1"><Rotulo>CAPÍTULO I</Rotulo>{many}</Capitulo>']
    for norm, events, articles in (
        (VETOED, _VETO, vetoed),
        (CURATED, _REVOKED, curated),
        (CROWDED, "", crowded),
        (REWORDED, amended, reworded),
    ):
        words = _DOCUMENT.format(norm=norm, events=events, articles="".join(articles))
        (folder / f"{norm[-5:]}.xml").write_text(words, "utf-8")
    facts = (
        f'[[facts]]\nnorm = "{name}"\nevent = "{event}"\neffect = {effect}\nknown = {known}\n'
        for name, event, effect, known in _FACTS
    )
    head = 'curator = "Arquivo Fictício"\nsource = "Diário fictício"\n'
    (folder / "facts.toml").write_text(head + "".join(facts), "utf-8")
    with open_for_writing(folder / "store", create=True) as store:
        sources = [folder / name for name in ("99910.xml", "99920.xml", "99940.xml", "99945.xml", "facts.toml")]
        load(sources, store, Quarantine(folder / "quarantine"))
    return folder / "store"

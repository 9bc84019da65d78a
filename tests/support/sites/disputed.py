"""The store of the cases of pages: disputed."""

from __future__ import annotations

from pathlib import Path

from graph.store import open_for_writing
from graph.terms import Text
from tests.support.records import event, record

LAW = "urn:lex:br:federal:lei:2001-03-05;"
ENDED, TOLD, ALIKE, AMENDED, LATER, COMING, TITLED = (f"{LAW}{number}" for number in range(99920, 99927))
CAUSE = "urn:lex:br:federal:lei:2002-11-30;99908"
ONE, OTHER, THIRD = (f"https://{word}.example/oai" for word in ("um", "dois", "tres"))


def build(folder: Path) -> Path:
    """Make a store of laws with records of two or more providers."""
    store = folder / "store"
    first = "@2001-03-06;publicacao;2001-03-06"
    summaries = ("Trata dos relógios.", "Trata das ampulhetas.")
    records = [
        record(
            f"{name}{first}",
            key=f"{name}{provider}",
            provider=provider,
            summaries=[Text(summary)] if name in (TOLD, ALIKE) else [],
            events=[event("revogacao", ENDED, end, "2005-01-01", CAUSE)] if name == ENDED else [],
        )
        for name in (ENDED, TOLD, ALIKE, AMENDED)
        for provider, summary, end in (
            (ONE, summaries[0], "2006-01-01"),
            (OTHER, summaries[1] if name == TOLD else summaries[0].upper(), "2007-01-01"),
        )
    ]
    records += [
        record(f"{AMENDED}@{day};alteracao;2003-02-01", key=f"{AMENDED}{day}", provider=provider)
        for day, provider in (("2003-03-01", ONE), ("2003-04-01", OTHER))
    ]
    records += [
        record(f"{LATER}{first}", key=f"{LATER}{provider}", provider=provider, datestamp=day)
        for provider, day in ((ONE, "2008-12-15"), (THIRD, "2010-02-03"))
    ]
    records += [
        record(f"{COMING}@{day};publicacao;2001-03-06", key=f"{COMING}{day}", provider=f"https://{who}.example/oai")
        for who, day in (("um", "2990-01-01"), ("<i>x</i>", "2001-06-01"))
    ]
    records.append(record(f"{AMENDED}@2010-01-01;alteracao;2010-01-01", key="later", provider=ONE))
    titles = ((ONE, "Lei fictícia do mar"), (OTHER, "Lei fictícia da terra"), (THIRD, "LEI FICTÍCIA DO MAR"))
    records += [
        record(TITLED, key=f"{TITLED}{provider}", provider=provider, epigraphs=[Text(title)])
        for provider, title in titles
    ]
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    return store

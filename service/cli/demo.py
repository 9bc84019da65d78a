"""The command demo: it loads the sample and shows the main answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

import samples
from graph import store as stores
from graph.errors import BadParameter
from graph.store import Store
from graph.time.kinds import Status
from loaders.pipeline import LoadInterrupted, Summary
from queries.answers import InForce
from queries.catalogue import named
from queries.evidence import publication_day
from queries.in_force import in_force
from queries.text.diff import diff
from service.cli.context import AsJson, Exit, Settings
from service.cli.loading import load_into
from service.cli.opening import is_demo, mark_as_demo, settings
from service.cli.progress import print_summary, summary_as_json
from service.cli.querying import query_lines
from service.output import print_json, print_lines, print_message, terminal_width
from service.render.answers import in_force_lines
from service.render.tables import table
from service.render.texts import diff_lines

_CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
# Days of Tables 2 and 3 of LexML 1.0 part 2, section 12.4: (D, K).
_QUESTIONS = (
    ("1991-03-10", "2008-12-15"),
    ("1993-05-22", "1993-05-01"),
    ("1993-05-22", "1993-05-22"),
    ("1993-06-15", "2007-01-09"),
    ("1993-06-15", "2007-01-10"),
)
_UNDATED = "urn:lex:br:federal:lei:2008-06-19;11705"
_UNDATED_DAYS = ("2008-12-01", "2008-12-15")
_TEXT = "urn:lex:br:federal:lei:2001-03-05;99916"
_SINCE, _UNTIL, _RECTIFIED = "2001-06-01", "2002-05-02", "2002-07-01"
_DATA_PROTECTION = "urn:lex:br:federal:lei:2018-08-14;13709"
_PROCEDURE = "urn:lex:br:federal:lei:2015-03-16;13105"
_LABOUR = "urn:lex:br:federal:decreto.lei:1943-05-01;5452!art394-1"
# Histories of real norms: what the row shows, the norm or provision, D, K.
_HISTORIES = (
    ("LGPD, as published", _DATA_PROTECTION, "2020-02-16", "2018-12-27"),
    ("LGPD, postponed by MPV 869/2018", _DATA_PROTECTION, "2020-02-16", "2018-12-28"),
    ("LGPD, postponed again by MPV 959/2020", _DATA_PROTECTION, "2020-08-20", "2020-08-20"),
    ("LGPD, postponement dropped by Lei 14.058/2020", _DATA_PROTECTION, "2020-09-18", "2020-09-18"),
    ("CPC/2015, the last day of its vacatio", _PROCEDURE, "2016-03-17", "2016-02-05"),
    ("CPC/2015, as changed in its vacatio", _PROCEDURE, "2016-03-18", "2016-02-05"),
    ("CLT, art. 394-A, by MPV 808/2017", _LABOUR, "2018-04-23", "2018-04-25"),
    ("CLT, art. 394-A, after MPV 808/2017 lapsed", _LABOUR, "2018-04-24", "2018-04-25"),
)
_NAME_ONLY = "urn:lex:br:federal:decreto:1999-12-21;lex-16"


def demo(context: typer.Context, as_json: AsJson = False) -> int:
    """Load the bundled sample into a new store and show the main answers."""
    where = settings(context)
    _refuse_other_store(where)
    try:
        summary = _load(where)
    except LoadInterrupted as stop:
        print_summary(stop.summary)
        return Exit.STOPPED
    with stores.open(where.store) as store:
        if as_json:
            answers = [in_force(store, _CODE, on, as_known) for on, as_known in _QUESTIONS]
            answers.append(in_force(store, _UNDATED, *_UNDATED_DAYS))
            print_json({"load": summary_as_json(summary), "answers": [answer.as_json() for answer in answers]})
        else:
            print_lines(_tour(store, where, summary))
    return Exit.ANSWERED if summary.complete else Exit.REFUSED


def _refuse_other_store(where: Settings) -> None:
    """Refuse a store with other records, because the sample has fictional ones."""
    if is_demo(where) or not where.store.exists():
        return
    if where.store.is_dir() and not any(where.store.iterdir()):
        return
    raise BadParameter(
        f"the demo loads fictional records and needs a new store, but {where.store} exists; "
        "give a folder that does not exist: `vigente --store demo.store demo`"
    )


def _load(where: Settings) -> Summary:
    if not is_demo(where):
        with stores.open_for_writing(where.store, create=True):
            mark_as_demo(where)
    summary = load_into(where, samples.sample_paths())
    if summary.unchanged == summary.read:
        print_message(f"{where.store} has the sample already: nothing to load")
    else:
        print_summary(summary)
    return summary


def _tour(store: Store, where: Settings, summary: Summary) -> Iterator[str]:
    yield f"{summary.read} records of a bundled sample, written from facts in the LexML specifications. Norms with"
    yield "numbers from 99901 up are fictional."
    yield ""
    yield "1. One law, two days. The consumer code of Brazil (Lei 8.078/1990) was published on 1990-09-12, in force"
    yield "   from 1991-03-11, amended twice in 1993 and rectified in 2007. Which text applied on day D depends on what"
    yield "   was known on day K:"
    yield ""
    yield from (
        f"   {line}" for line in table(("on D", "as known on K", "answer"), list(_answer_rows(store)), _table_width())
    )
    yield ""
    yield "2. How do we know? Every answer has its reasons, its sources and the day up to which they have data:"
    yield from _example_lines(store, where, _CODE, *_QUESTIONS[-1])
    yield ""
    yield "3. No guessing. The sources have no version of this law, so the start of its force is unknown:"
    yield from _example_lines(store, where, _UNDATED, *_UNDATED_DAYS)
    yield ""
    program = _program(where)
    yield "4. A list of names is a source, too. A name states only the type, the authority and the date of a norm:"
    yield ""
    yield f"$ {program} query describe_work -p norma='{_NAME_ONLY}'"
    yield from query_lines(named("describe_work"), store, {"norma": _NAME_ONLY}, terminal_width())
    yield ""
    yield "5. The text itself, provision by provision. The sample has the texts and the history of a fictional law."
    yield "   These are its changes between two days, as known after a rectification:"
    yield ""
    yield f"$ {program} diff '{_TEXT}' --from {_SINCE} --to {_UNTIL} --as-known {_RECTIFIED}"
    yield from diff_lines(diff(store, _TEXT, _SINCE, _UNTIL, _RECTIFIED))
    yield ""
    yield "6. Real histories: a vacatio that was extended three times, a code that was amended in its vacatio, and a"
    yield "   provisional measure (MPV) that lapsed. A change has effect only while the act that caused it has:"
    yield ""
    yield from (
        f"   {line}"
        for line in table(("of", "on D", "as known on K", "answer"), list(_history_rows(store)), _table_width())
    )
    yield from _example_lines(store, where, _DATA_PROTECTION, "2020-09-18", "2020-09-18")
    yield ""
    yield "Next steps:"
    yield f"  {program} timeline '{_CODE}'"
    yield f"  {program} text '{_TEXT}' --on {_UNTIL} --as-known {_RECTIFIED}"
    yield f"  {program} queries"
    yield f"  {program} --help"
    yield "docs/start/tutorial.md is a tutorial of fifteen minutes."
    yield ""
    yield "This command serves the pages, in Portuguese and English, at http://127.0.0.1:8000/:"
    yield f"  {program} serve"


def _answer_rows(store: Store) -> Iterator[tuple[str, str, str]]:
    """Yield the days of each question with its short answer."""
    for on, as_known in _QUESTIONS:
        answer = in_force(store, _CODE, on, as_known)
        yield on, as_known, _short_answer(answer)


def _history_rows(store: Store) -> Iterator[tuple[str, str, str, str]]:
    for title, name, on, as_known in _HISTORIES:
        yield title, on, as_known, _short_answer(in_force(store, name, on, as_known))


def _short_answer(answer: InForce) -> str:
    """Return the version without the name of its norm, or the status."""
    if answer.version is None:
        return f"none yet: {answer.status.value}" if answer.status is Status.VACATIO else answer.status.value
    return "@" + answer.version.name.partition("@")[2].partition("!")[0]


def _table_width() -> int | None:
    width = terminal_width()
    return None if width is None else width - 3


def _example_lines(store: Store, where: Settings, name: str, on: str, as_known: str) -> Iterator[str]:
    """Yield a command and its whole answer."""
    yield ""
    yield f"$ {_program(where)} in-force '{name}' --on {on} --as-known {as_known}"
    yield from in_force_lines(in_force(store, name, on, as_known), publication_day(store, name))


def _program(where: Settings) -> str:
    """Return the command of the program for this store."""
    return "vigente" if where.store == Path("vigente.store") else f"vigente --store '{where.store}'"

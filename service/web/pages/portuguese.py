"""Notices in Portuguese, and contradictions in the language of the page."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import assert_never

from markupsafe import Markup

import queries.notices as n
from graph.civil import When
from graph.entities import Axis
from graph.errors import BadDate, BadName
from graph.urn import parse
from ontology.events import FIRST_TEXT_EVENTS
from queries.contradictions import effect_of
from queries.notices import Disagreement, Notice, SourcesContradict, Statement
from queries.reasons import Reason, Status
from service.web.http.name_paths import description_path, name_path
from service.web.pages.phrases import Phrases, why
from service.web.pages.words import marked
from service.web.text_layout import cut

#: Events that make texts.
_OF_TEXTS = frozenset({"alteracao", *FIRST_TEXT_EVENTS})
_ONE_DAY = timedelta(days=1)
#: Most statements of one contradiction that a page tells, most that stand before a sentence, and the longest name of
#: who makes one, in characters.
_MOST, _MOST_CLAIMS, _LONGEST = 12, 5, 100
#: Most provisions that a sentence names.
_MOST_NAMES = 5


def records_behind(notices: Iterable[Notice]) -> Iterator[str]:
    """The records, by their IRIs, whose statements the notices ``sources-contradict`` hold against each other."""
    for notice in notices:
        if isinstance(notice, SourcesContradict):
            yield from (one.record for one in notice.statements[:_MOST])


def contradicted(notice: SourcesContradict, say: Phrases) -> Markup:
    """What sources state differently, in the page's language."""
    if notice.on is Disagreement.ENDED_AND_PRINTED:
        version = parse(notice.names[0])
        return say.words("norm.contradicted_end", norm=say.label(version.work), text=say.wording(version.canonical))
    if notice.on is not Disagreement.DATES:
        names = Markup(", ").join(_described(name, say) for name in notice.names[:_MOST_NAMES])
        key = "norm.contradicted_words" if notice.on is Disagreement.WORDINGS else "norm.contradicted_days"
        return say.words(key, names=names + "…" if len(notice.names) > _MOST_NAMES else names)
    target = notice.names[0]
    event = marked("{}", say.event(notice.event).lower())
    if notice.day is not None:
        event += marked(" ({})", say.words.time(notice.day))
    if notice.start is not None:
        event = say.words("norm.publication_of", event=event, day=say.words.time(notice.start))
    if notice.cause is not None:
        event += marked(" ({})", say.link(notice.cause))
    stated = Markup("; ").join(_stated(one, say) for one in notice.statements[:_MOST])
    if len(notice.statements) > _MOST:
        path = say.frame.to("/sparql/editor", example="events_of_work", norma=target)
        every = marked('<a href="{}">{}</a>', path, say.words("norm.part_facts_all"))
        stated += _more(len(notice.statements) - _MOST, say) + marked(" ({})", every)
    return say.words("norm.contradicted", event=event, target=say.label(target), said=stated)


def _more(count: int, say: Phrases) -> Markup:
    """How many more statements there are than are told."""
    return Markup("; ") + say.words("norm.more", n=say.words.number(count)) if count > 0 else Markup("")


def _described(name: str, say: Phrases) -> Markup:
    """A provision as a link to its statements, each with the record that makes it."""
    return marked('<a href="{}">{}</a>', say.frame.to(description_path(name)), say.label(name))


def _stated(one: Statement, say: Phrases) -> Markup:
    return say.words("norm.contradicted_by", who=_by(one, say), words=_days(one, say))


def _days(one: Statement, say: Phrases) -> Markup:
    if one.version is None:
        return say.words("norm.contradicted_event", effect=say.when(one.effect), known=say.published(one.known))
    seen = parse(one.version).view_date
    known = say.published(seen.isoformat() if seen is not None else None)
    return say.words("norm.contradicted_text", text=say.wording(one.version), known=known)


def contested(
    notice: SourcesContradict, sentence: Markup, days: Container[date], on: date, say: Phrases
) -> Markup | None:
    """What each source says, where a sentence on how a norm stands on D would take the side of one of them.

    Args:
        notice: on what the sources differ.
        sentence: how the norm stands.
        days: those that the sentence states, civil dates.
        on: D, a civil date.

    Returns:
        None where the sentence says nothing that the sources contradict.
    """
    if notice.on is not Disagreement.DATES:
        return None
    try:
        stated = [(one, effect_of(one)) for one in notice.statements]
        effects = {effect.first for _, effect in stated if effect is not None}
        if len(effects) < 2 or not any(_is_stated(day, notice.event, days, on) for day in effects):
            return None
        claims = list({(one.by, one.curated, effect): (one, effect) for one, effect in stated}.values())
        said = [
            say.words("norm.contradicted_by", who=_by(one, say), words=_claim(notice.event, effect, say))
            for one, effect in claims[:_MOST_CLAIMS]
        ]
    except (BadDate, BadName):
        return None
    every = Markup("; ").join(said) + _more(len(claims) - _MOST_CLAIMS, say)
    return say.words("norm.contested", said=every, sentence=_begun(sentence))


def _is_stated(day: date, event: str | None, days: Container[date], on: date) -> bool:
    """Whether a sentence on D that states some days takes a side on an event of one day.

    An event that makes no text ends the days before it, and decides all later ones.
    """
    return day in days or (event not in _OF_TEXTS and (day <= on or day - _ONE_DAY in days))


def _begun(sentence: Markup) -> Markup:
    """A sentence as it goes on behind others."""
    return sentence[:1].lower() + sentence[1:]


def _claim(event: str | None, effect: When | None, say: Phrases) -> Markup:
    """What a source says."""
    if event in _OF_TEXTS and effect is not None:
        start = "norm.contested_start" if effect.first <= say.today else "norm.contested_start_ahead"
        key = start if event in FIRST_TEXT_EVENTS else "norm.contested_text"
        return say.words(key, day=say.day(str(effect)))
    when = say.when(str(effect) if effect is not None else None)
    return say.words("norm.contested_event", event=say.event(event).lower(), effect=when)


def _by(one: Statement, say: Phrases) -> Markup:
    named = cut(one.by, _LONGEST)
    return say.words("norm.curator", name=named) if one.curated else marked("{}", named)


#: How many of many names a sentence has.
_SHOWN = 5
_MISSING = {n.Missing.START: "o primeiro dia de vigência", n.Missing.KNOWN: "desde quando ela foi conhecida"}
_MEASURE_ENDS = {
    n.MeasureEnd.LAPSED: "caducou",
    n.MeasureEnd.REJECTED: "foi rejeitada",
    n.MeasureEnd.NOT_KEPT: "foi convertida em lei que não mantém isto",
}
_GIVEN = {
    n.Given.NORM: "o que se mostra é a norma a que pertence",
    n.Given.VERSIONS: "o que se mostra são versões da norma",
    n.Given.VERSION: "o que se mostra é a versão inteira",
    n.Given.VERSION_OF_TEXT: "o que se mostra é a versão desse texto",
}
_FIELDS = {"type": "tipo", "authority": "autoridade", "place": "localidade"}


def portuguese(notice: n.Notice, say: Phrases) -> Markup:  # noqa: PLR0911, PLR0912, PLR0915 - a table
    """The Portuguese sentence of a notice.

    Args:
        notice: of :data:`queries.notices.AnyNotice`.
        say: the words of a page in Portuguese.
    """
    one: n.AnyNotice = notice  # type: ignore[assignment]  # the list is closed: a test holds that it has every subclass
    day = say.words.time
    match one:
        case n.PartsNotUsed():
            parts = ", ".join(one.parts)
            return marked("O nome diz mais de uma versão do que a resposta usa: {}.", parts)
        case n.OtherVersion():
            what = "que não é a desta resposta" if one.answered else "e nenhuma está em vigor"
            return marked("O nome pede uma versão ({}) {}.", say.wording(one.asked), what)
        case n.ReferenceName():
            lacking = "Falta ao nome{} o que encontra uma norma: diga o número, ou a autoridade e o ano."
            return marked(lacking, marked(" ({})", one.name) if one.name is not None else "")
        case n.UnderstoodAs():
            why_so = "não é um nome, e foi entendido como" if one.repaired else "foi entendido como"
            rest = "" if one.repaired else ": nenhum outro ato concorda com tudo"
            return marked("“{}” {} {}{}.", one.asked, why_so, say.link(one.name), rest)
        case n.NotUnderstood():
            if one.on is not None:
                return marked("Isto não designava norma alguma em {}, embora designe em outros dias.", day(one.on))
            return Markup("Isto não é nome nem citação que se reconheça, e nenhum apelido conhecido aqui.")
        case n.WordsLeft():
            names = _links(one.names, say)
            return marked(
                "Parte da busca foi ignorada: “{}” foi entendido como {}, e “{}” não foi entendido.",
                one.understood,
                names,
                one.left,
            )
        case n.UnknownValue():
            near = marked(" Parecidos: {}.", ", ".join(one.near)) if one.near else ""
            return marked(
                "Nada foi encontrado, e nenhum vocabulário conhece {} “{}”.{}", _FIELDS[one.field], one.value, near
            )
        case n.TooLittleSaid():
            return marked('A busca precisa de mais: <span lang="en">{}</span>.', one.expected)
        case n.UnknownName():
            if not one.one:
                return marked("“{}” não leva a um só nome.", one.name)
            return marked("Nenhuma fonte conhecida aqui fala deste nome: {}.", one.name)
        case n.OnlyMentioned():
            return Markup(
                "Nenhuma fonte descreve isto: o que se conta vem de fatos avulsos ou de referências de outros."
            )
        case n.NotYetTold():
            return marked(
                "Nenhuma fonte descreve isto, e o que dele se conta só se pôde saber depois: em {}.", day(one.first)
            )
        case n.ProvisionUnknown():
            return marked("A norma ({}) é conhecida; deste dispositivo nenhuma fonte fala por si.", say.link(one.norm))
        case n.Ambiguous():
            count = say.words.number(one.count)
            several = f"mais de {count}" if one.more else count
            which = "tiveram este apelido nesse dia" if one.nickname else "concordam com o que foi dito"
            return marked("Vários atos ({}) {}: escolha um: {}.", several, which, _links(one.names, say, one.count))
        case n.AgreesInPart():
            return marked(
                "Nenhum ato concorda com tudo o que foi dito; alguns concordam em parte: {}{} ({}).",
                _links(one.names, say),
                "…" if one.more else "",
                why(one.why, say),
            )
        case n.SeveralCitations():
            return marked("O texto cita mais de uma norma ou dispositivo: {}.", _links(one.names, say))
        case n.EquivalentNames():
            return marked("As fontes conhecem este documento por mais de um nome: {}.", _links(one.names, say))
        case n.SameNumber():
            return marked("Há também, da mesma autoridade e do mesmo tipo, número e ano: {}.", _links(one.names, say))
        case n.NumbersBeganAnew():
            return Markup("A numeração das emendas recomeçou com a Constituição de 1988: diga o ano.")
        case n.TailLeft():
            return marked("Escolha primeiro a norma; a versão ou o dispositivo ({}) ficam para depois.", one.tail)
        case n.CandidatesCut():
            if one.looked_at is not None:
                return marked(
                    "Só {} dos atos que concordam foram comparados: diga mais sobre o ato.",
                    say.words.number(one.looked_at),
                )
            return marked(
                "Há mais resultados ({}) do que os mostrados ({}): diga mais sobre o ato.",
                say.words.number(one.found or 0),
                say.words.number(one.shown or 0),
            )
        case n.WiderLevel():
            return marked("Do que foi pedido ({}) nada se conhece; {}.", say.label(one.asked), _GIVEN[one.given])
        case n.SeveralOccupants():
            listed = Markup("; ").join(_occupant(each, say) for each in one.occupants)
            return marked(
                "Vários dispositivos tiveram este identificador, um depois do outro: {}. O de {} é {}.",
                listed,
                day(one.on),
                say.link(one.chosen),
            )
        case n.RecordWithdrawn():
            return _withdrawn(one, say)
        case n.UnknownVersion():
            return _unknown_version(one, say)
        case n.SeveralVersions():
            return Markup("Foi pedido o texto de várias versões, que nenhuma fonte dá junto.")
        case n.NoVersionAnswers():
            return marked(
                "Nenhuma versão de {} responde por {}, conforme o publicado até {}: {}.",
                say.link(one.name),
                day(one.on),
                day(one.as_known),
                say.words(f"status.{one.status.value}").lower(),
            )
        case n.SameInVersion():
            return marked(
                "Esta versão ({}) mantém o dispositivo como uma anterior o fez ({}).",
                say.wording(one.version),
                say.wording(one.made_by),
            )
        case n.SupersededView():
            return marked(
                "Outra leitura tomou o lugar deste texto ({}): ele é o que se tinha até {}, não o que se sabia em {}.",
                say.wording(one.version),
                day(one.last),
                day(one.as_known),
            )
        case n.NotInForceToday():
            return _not_in_force_today(one, say)
        case n.NoEffectToday():
            has = say.wording(one.with_effect) if one.with_effect is not None else "nenhum"
            return marked("Este não é um texto que hoje tenha eficácia. Com eficácia em {}: {}.", day(one.today), has)
        case n.NextToCome():
            return marked("{}: este é o texto que {} a partir de {}.", _not_today(one, say), _will(one), day(one.start))
        case n.MostRecentPast():
            until = marked(", até antes de {}", day(one.until)) if one.until is not None else ""
            return marked("{}: este é o último texto que {}{}.", _not_today(one, say), _was(one), until)
        case n.BeforeFirstMemento():
            return marked(
                "O dia pedido ({}) é anterior ao primeiro texto conhecido, que é de {}.", day(one.day), day(one.first)
            )
        case n.AfterToday():
            return marked("O publicado até {} ainda não se conhece: aqui está o publicado até hoje.", day(one.day))
        case n.NoHarvestDate():
            return Markup("Nenhuma fonte desta resposta diz quando foi colhida.")
        case n.OutsideKnowledgeHorizon():
            return say.words("norm.notice_horizon", day=day(one.horizon))
        case n.NoVersionDates():
            dated = day(one.day) if one.day is not None else one.year
            named = marked(": o nome da norma só dá a data dela ({})", dated) if dated is not None else ""
            return marked("Nenhuma fonte diz desde quando isto está em vigor{}.", named)
        case n.Undated():
            return _undated(one, say)
        case n.UndatedText():
            which = marked(" ({})", say.wording(one.version)) if one.version is not None else ""
            return marked("Nenhuma fonte diz quando este texto{} vigorou, se é que vigorou.", which)
        case n.BeforePublication():
            return marked(
                "O dia pedido ({}) é anterior ao primeiro dia em que as fontes conhecem o que foi pedido: {}.",
                day(one.on),
                day(one.first),
            )
        case n.EarlierTextUnknown():
            since = marked(", conhecido desde {},", day(one.first)) if one.first is not None else ""
            return marked(
                "O primeiro texto conhecido{} pressupõe um anterior, que nenhuma fonte dá: do que valia antes nada se "
                "sabe aqui.",
                since,
            )
        case n.AmendmentWithoutVersion():
            return marked(
                "Uma fonte fala de uma alteração {}, mas nenhuma versão conhecida aqui começa com ela.",
                say.by_one(one.amending),
            )
        case n.DatesBeforeNorm():
            listed = Markup(", ").join(_dated(each, say) for each in one.versions[:_SHOWN])
            return marked(
                "Uma fonte data uma versão de antes da própria norma, que não pode ser anterior a {}: ou a vigência "
                "retroage, ou a fonte erra. É o caso de: {}{}.",
                day(one.oldest),
                listed,
                "…" if len(one.versions) > _SHOWN else "",
            )
        case n.DatesOfWording():
            return Markup(
                "Os dias destas redações são os da assinatura das normas que as deram, e não os da sua entrada em "
                "vigor."
            )
        case n.ActDays():
            return marked(
                "{}{} foi assinada em {}{}.",
                one.act,
                marked(" (na fonte: {})", one.named) if one.named != one.act else "",
                one.signed,
                marked(" e publicada em {}, data desde a qual se conhece a alteração", one.published)
                if one.published is not None
                else "",
            )
        case n.CuratedFact():
            cited = marked(", com base em {}", one.source) if one.source is not None else ""
            return marked("Fato afirmado por um curador, e não por um provedor: {}{}.", one.curator, cited)
        case n.SourcesContradict():
            return contradicted(one, say)
        case n.EfficacyDiffers():
            return _efficacy(one, say)
        case n.MeasureLapsed():
            first = marked(" (primeiro dia sem vigência: {})", say.day(one.effect)) if one.effect is not None else ""
            return marked(
                "A medida provisória perdeu a eficácia desde a edição (Constituição, art. 62, §§ 3º e 11), ressalvadas "
                "as relações jurídicas preservadas por decreto legislativo ou pelo § 11: a {} {}{}.",
                say.link(one.measure),
                _MEASURE_ENDS[one.end],
                first,
            )
        case n.ConversionGap():
            ended = marked(" ({})", say.day(one.ended)) if one.ended is not None else ""
            return marked(
                "A lei de conversão ({}) entrou em vigor em {}, depois do fim da vigência da medida provisória ({}){}: "
                "nos dias entre um e outro nenhuma das duas vigorava.",
                say.link(one.law),
                day(one.start),
                say.link(one.measure),
                ended,
            )
        case n.NotYetInForce():
            return marked(
                "Nesse dia este texto ainda não vigorava: corria a vacatio legis, até antes de {}.", day(one.start)
            )
        case n.NotInText():
            return marked("O texto em vigor nesse dia ({}) não tem este dispositivo.", say.wording(one.version))
        case n.DerivedText():
            acts = Markup(", ").join(say.wording(act) for act in one.acts)
            base = marked(", aplicados a {}", say.wording(one.base)) if one.base is not None else ""
            return marked(
                "Este texto, desde {}, não foi publicado por ninguém: resulta dos atos que alteraram a norma ({}{}).",
                day(one.day),
                acts,
                base,
            )
        case n.DerivedDiffers():
            acts = Markup(", ").join(say.wording(act) for act in one.acts)
            listed = Markup("; ").join(say.wording(name) for name in one.provisions)
            return marked(
                "Pelos atos que alteraram a norma ({}), desde {} o texto seria outro em: {}.",
                acts,
                day(one.day),
                listed,
            )
        case n.TextUnknown():
            text = say.words("norm.text_missing", text=say.wording(one.version))
            if one.nearest is not None:
                address = say.frame.to(name_path(one.nearest))
                nearest = marked('<a href="{}">{}</a>', address, say.wording(one.nearest))
                text += say.words("norm.text_nearest", text=nearest)
            return text
        case n.WordsUnknown():
            if not one.provisions:
                return Markup("Nenhuma fonte tem as palavras desta versão do dispositivo.")
            return marked(
                "Nenhuma fonte tem as palavras destes dispositivos como então se liam: {}.", _links(one.provisions, say)
            )
        case n.Vetoed():
            return Markup("O dispositivo foi vetado.")
        case n.UndecidedProvisions():
            return marked("De alguns dispositivos as fontes não decidem se valem: {}.", _links(one.provisions, say))
        case n.PassagesOmitted():
            return Markup("A fonte não traz trechos destes textos: se algo mudou neles, não se sabe aqui.")
        case n.NotComparable():
            days = marked(" ({})", Markup(" e ").join(map(day, one.days))) if one.days else ""
            return marked("Um dos dois dias não tem texto que as fontes permitam{}: nada se diz de mudanças.", days)
        case n.NoTextInForce():
            return marked(
                "Não há texto a comparar: em nenhum dos dois dias havia um em vigor ({}: {}; {}: {}).",
                day(one.since),
                say.words(f"status.{one.before.value}").lower(),
                day(one.until),
                say.words(f"status.{one.after.value}").lower(),
            )
        case _:
            assert_never(one)


def _links(names: Sequence[str], say: Phrases, count: int | None = None) -> Markup:
    """The first of many names."""
    rest = len(names) > _SHOWN or (count is not None and count > len(names))
    return Markup(", ").join(say.link(name) for name in names[:_SHOWN]) + ("…" if rest else "")


def _occupant(one: n.Occupant, say: Phrases) -> Markup:
    if one.start is None:
        return marked("{} (nada se sabe da vigência dele em {})", say.link(one.name), say.words.time(one.known))
    days = say.interval(one.start, one.until)
    return marked("{} ({}, conforme o publicado até {})", say.link(one.name), days, say.words.time(one.known))


def _withdrawn(one: n.RecordWithdrawn, say: Phrases) -> Markup:
    if one.record is None:
        return marked("Outros {} registros sobre este nome não existem mais.", say.words.number(one.more))
    of = marked(" de {}", one.provider) if one.provider is not None else ""
    which = marked("Um registro sobre este nome ({}{})", one.record, of)
    if one.missing_since is not None:
        since = say.words.time(one.missing_since)
        return marked("{} não é mais listado pelo provedor: notado primeiro em {}.", which, since)
    if one.withdrawn_on is not None:
        return marked("{} foi retirado pelo provedor em {}.", which, say.words.time(one.withdrawn_on))
    return marked("{} foi retirado pelo provedor; desde quando não se sabe.", which)


def _unknown_version(one: n.UnknownVersion, say: Phrases) -> Markup:
    which = say.words.time(one.day) if one.day is not None else say.label(one.asked)
    if one.views:
        views = Markup("; ").join(_view(view, say) for view in one.views)
        return marked("Nenhuma versão tem esses dias: da versão de {} as fontes conhecem só {}.", which, views)
    near = Markup(" e ").join(map(say.words.time, one.neighbours))
    beside = marked("; as vizinhas são de {}", near) if one.neighbours else ""
    return marked("Nenhuma versão tem esses dias ({}){}.", which, beside)


def _view(one: n.View, say: Phrases) -> Markup:
    on = marked(" em {}", say.words.time(one.day)) if one.day is not None else ""
    return marked("{}{}", say.event(one.event).lower(), on)


def _not_in_force_today(one: n.NotInForceToday, say: Phrases) -> Markup:
    if one.changed is not None:
        since = marked(" desde {}", say.words.time(one.since)) if one.since is not None else ""
        return marked("Este não é o texto em vigor hoje. O que {} contém mudou{}.", say.label(one.changed), since)
    now = say.wording(one.in_force) if one.in_force is not None else "nenhum"
    return marked("Este não é o texto em vigor hoje. Em vigor em {}: {}.", say.words.time(one.today), now)


def _not_today(one: n.NextToCome | n.MostRecentPast, say: Phrases) -> Markup:
    what = "em vigor" if one.axis is Axis.FORCE else "com eficácia"
    yet = "ainda não está" if isinstance(one, n.NextToCome) else "não está"
    status = say.words(f"status.{one.status.value}").lower()
    return marked("Hoje ({}) a norma ({}) {} {} ({})", say.words.time(one.today), say.link(one.name), yet, what, status)


def _will(one: n.NextToCome) -> str:
    return "entrará em vigor" if one.axis is Axis.FORCE else "terá eficácia"


def _was(one: n.MostRecentPast) -> str:
    return "vigorou" if one.axis is Axis.FORCE else "teve eficácia"


def _undated(one: n.Undated, say: Phrases) -> Markup:
    told = "Algo aconteceu, mas ninguém diz exatamente desde quando."
    if one.events:
        return marked("{} Eventos: {}.", told, ", ".join(say.event(each).lower() for each in one.events))
    if one.words:
        words = ", ".join(one.words)
        return marked("{} Uma fonte chama a versão por uma palavra ({}) em vez do primeiro dia.", told, words)
    missing = " nem ".join(_MISSING[each] for each in one.missing)
    return marked("{} Uma fonte nomeia uma versão, mas não diz {}.", told, missing) if missing else marked(told)


def _dated(one: n.DatedVersion, say: Phrases) -> Markup:
    said = (("em vigor desde", one.version_date), ("conhecida desde", one.view_date))
    days = Markup(" e ").join(marked("{} {}", what, say.words.time(day)) for what, day in said if day is not None)
    return marked("{} ({})", say.wording(one.name), days)


def _efficacy(one: n.EfficacyDiffers, say: Phrases) -> Markup:
    force = say.words(f"status.{one.force.value}")
    efficacy = say.words(f"status.{one.status.value}").lower()
    if one.status is Status.IN_FORCE:
        what = marked("com eficácia")
    elif one.status is Status.UNKNOWN:
        what = marked("não se sabe se com eficácia")
    else:
        what = marked("sem eficácia ({})", efficacy)
    days = (
        marked(", {}", _interval(one.since, one.until, say)) if one.since is not None or one.until is not None else ""
    )
    because = Markup("; ").join(_event(each, say) for each in _once(one.because))
    return marked("{}, mas {}{}{}.", force, what, days, marked(": {}", because) if because else "")


def _once(because: Iterable[Reason]) -> list[Reason]:
    return list({(one.event, one.effect, one.known, one.cause): one for one in because}.values())


def _event(one: Reason, say: Phrases) -> Markup:
    by = marked(" {}", say.by_one(one.cause)) if one.cause is not None else ""
    return marked(
        "{}{}, efeitos {}, publicação {}",
        say.event(one.event).lower(),
        by,
        say.when(one.effect),
        say.published(one.known),
    )


def _interval(since: date | None, until: date | None, say: Phrases) -> Markup:
    if since is None:
        return marked("até antes de {}", say.words.time(until)) if until is not None else Markup("")
    return say.interval(since, until)

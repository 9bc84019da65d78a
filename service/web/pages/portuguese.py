"""The Portuguese sentences of notices; :mod:`queries.english` has the English ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import assert_never

from markupsafe import Markup

import queries.notices as n
from graph.civil import ONE_DAY
from graph.terms import day_stated
from graph.time.kinds import Axis, Status
from graph.urn import parse
from graph.wording.provisions import articles_in_words
from ontology.events import FIRST_TEXT_EVENTS, EventKind
from queries.reasons import Reason
from service.web.http.name_paths import name_path
from service.web.pages.frame import (
    format_markup,
    is_feminine_name,
)
from service.web.pages.phrases import Phrases, contradicting_statements, effect_of_reason, why

#: The maximum number of names in a sentence.
_SHOWN = 5
_MISSING = {n.MissingDay.START: "o primeiro dia de vigência", n.MissingDay.KNOWN: "desde quando ela foi conhecida"}
_MEASURE_ENDS = {
    n.MeasureEnd.LAPSED: "teve o prazo de vigência encerrado",
    n.MeasureEnd.REJECTED: "foi rejeitada",
    n.MeasureEnd.NOT_KEPT: "foi convertida em lei que não manteve esta alteração",
    n.MeasureEnd.NOT_STATED: "não foi convertida em lei, ou a lei de conversão não manteve esta alteração",
}
_GIVEN = {
    n.ReturnedInstead.NORM: "a resposta mostra a norma a que pertence",
    n.ReturnedInstead.VERSIONS: "a resposta mostra versões da norma",
    n.ReturnedInstead.VERSION: "a resposta mostra a versão inteira",
    n.ReturnedInstead.VERSION_OF_TEXT: "a resposta mostra a versão desse texto",
}
_INTERPRETATIONS: Mapping[str, str] = {
    EventKind.INTERPRETACAO_CONFORME: "Interpretação conforme a Constituição",
    EventKind.INCONSTITUCIONALIDADE_SEM_REDUCAO_TEXTO: (
        "Declaração parcial de inconstitucionalidade sem redução de texto"
    ),
}
_FIELDS = {"type": "tipo", "authority": "autoridade", "place": "localidade"}


def portuguese_sentence(notice: n.Notice, sentences: Phrases) -> Markup:  # noqa: PLR0911, PLR0912, PLR0915 - a table
    """Return the Portuguese sentence of a notice.

    Args:
        notice: a notice of :data:`queries.notices.AnyNotice`.
        sentences: the phrases of a page in Portuguese.
    """
    note: n.AnyNotice = notice  # type: ignore[assignment]  # a test checks that the list has every subclass
    day = sentences.words.time
    match note:
        case n.PartsNotUsed():
            parts = ", ".join(note.parts)
            return format_markup("Parte do nome da versão não foi considerada: {}.", parts)
        case n.OtherVersion():
            clause = "que não é a desta resposta" if note.answered else "mas nenhuma está em vigor"
            return format_markup("O nome identifica uma versão ({}) {}.", sentences.wording(note.asked), clause)
        case n.ReferenceName():
            lacking = "O nome{} não basta para identificar a norma: informe o número, ou a autoridade e o ano."
            return format_markup(
                lacking, format_markup(" ({})", sentences.label(note.name)) if note.name is not None else ""
            )
        case n.UnderstoodAs():
            why_so = "não é um nome válido e foi entendido como" if note.repaired else "foi entendido como"
            rest = "" if note.repaired else ": nenhum outro ato corresponde à busca"
            return format_markup("“{}” {} {}{}.", note.asked, why_so, sentences.link(note.name), rest)
        case n.NotUnderstood():
            if note.on is not None:
                return format_markup(
                    "Em {}, nenhuma norma tinha este nome; em outras datas, houve norma com esse nome.", day(note.on)
                )
            return Markup("O texto não foi reconhecido como nome, citação ou apelido de norma.")
        case n.WordsLeft():
            names = _links(note.names, sentences)
            return format_markup(
                "Parte da busca foi ignorada: “{}” foi entendido como {}, e “{}” não foi entendido.",
                note.understood,
                names,
                note.left,
            )
        case n.UnknownValue():
            near = format_markup(" Parecidos: {}.", ", ".join(note.near)) if note.near else ""
            return format_markup(
                "Nada foi encontrado: {} “{}” não consta de nenhum vocabulário.{}",
                _FIELDS[note.field],
                note.value,
                near,
            )
        case n.UnspecificSearch():
            return Markup("A busca precisa de mais dados: informe uma norma, outras palavras, ou o tipo e o ano.")
        case n.UnknownName():
            if not note.one:
                return format_markup("“{}” não identifica uma única norma.", note.name)
            return format_markup("Norma não encontrada no acervo: {}.", sentences.label(note.name))
        case n.OnlyMentioned():
            return Markup("Nenhuma fonte descreve esta norma: há apenas fatos avulsos ou referências de outras normas.")
        case n.KnownOnlyLater():
            return format_markup(
                "Nenhuma fonte descreve esta norma. Os fatos sobre ela só foram publicados em {}.", day(note.first)
            )
        case n.ProvisionUnknown():
            near = Markup("")
            if note.nearest is not None:
                near = format_markup(" O mais próximo é: {}.", sentences.link(note.nearest))
            if note.day is not None:
                text = "Nenhuma fonte traz este dispositivo: o texto da norma ({}) em {} não o tem."
                return format_markup(text, sentences.link(note.norm), day(note.day)) + near
            if note.nearest is not None:
                text = "O acervo tem só parte do texto da norma ({}), sem este dispositivo."
                return format_markup(text, sentences.link(note.norm)) + near
            text = "A norma ({}) consta do acervo; nenhuma fonte trata deste dispositivo em separado."
            return format_markup(text, sentences.link(note.norm)) + near
        case n.ArticlesMissing():
            return sentences.words(
                "text.partial", articles=articles_in_words([(gap.first, gap.last) for gap in note.gaps])
            )
        case n.Ambiguous():
            count = sentences.words.number(note.count)
            several = f"mais de {count}" if note.more else count
            which = "tiveram este apelido nesse dia" if note.nickname else "correspondem à busca"
            return format_markup(
                "Vários atos ({}) {}. Escolha um: {}.", several, which, _links(note.names, sentences, note.count)
            )
        case n.AgreesInPart():
            return format_markup(
                "Nenhum ato corresponde a todos os dados informados; alguns correspondem em parte: {}{} ({}).",
                _links(note.names, sentences),
                "…" if note.more else "",
                why(note.why, sentences),
            )
        case n.SeveralCitations():
            return format_markup("O texto cita mais de uma norma ou dispositivo: {}.", _links(note.names, sentences))
        case n.EquivalentNames():
            return format_markup(
                "As fontes conhecem este documento por mais de um nome: {}.", _links(note.names, sentences)
            )
        case n.SameNumber():
            return format_markup(
                "Há também, da mesma autoridade e do mesmo tipo, número e ano: {}.", _links(note.names, sentences)
            )
        case n.NumbersBeganAnew():
            return Markup("A numeração das emendas recomeçou com a Constituição de 1988: informe o ano.")
        case n.TailLeft():
            return format_markup("Escolha primeiro a norma, e depois a versão ou o dispositivo ({}).", note.tail)
        case n.CandidatesCut():
            if note.looked_at is not None:
                return format_markup(
                    "Só {} dos atos que correspondem à busca foram comparados: informe mais dados do ato.",
                    sentences.words.number(note.looked_at),
                )
            return format_markup(
                "Há mais resultados ({}) do que os mostrados ({}): informe mais dados do ato.",
                sentences.words.number(note.found or 0),
                sentences.words.number(note.shown or 0),
            )
        case n.WiderLevel():
            return format_markup("Nada consta sobre {}; {}.", sentences.label(note.asked), _GIVEN[note.given])
        case n.SeveralOccupants():
            listed = Markup("; ").join(_occupant(occupant, sentences) for occupant in note.occupants)
            return format_markup(
                "Vários dispositivos tiveram este identificador, um depois do outro: {}. Em {}, ele designa {}.",
                listed,
                day(note.on),
                sentences.link(note.chosen),
            )
        case n.RecordWithdrawn():
            return _withdrawn(note, sentences)
        case n.UnknownVersion():
            return _unknown_version(note, sentences)
        case n.SeveralVersions():
            return Markup("Foi pedido o texto de várias versões; nenhuma fonte as publica em um só texto.")
        case n.NoVersionAnswers():
            return format_markup(
                "Em {}, não há versão aplicável ({}), conforme o publicado até {}: {}.",
                day(note.on),
                sentences.link(note.name),
                day(note.as_known),
                sentences.status_word(note.status, note.name).lower(),
            )
        case n.SameInVersion():
            return format_markup(
                "Esta versão ({}) não alterou o dispositivo, que tem a redação dada por versão anterior ({}).",
                sentences.wording(note.version),
                sentences.wording(note.made_by),
            )
        case n.SupersededView():
            return format_markup(
                "Este texto ({}) era o publicado até {}; conforme o publicado até {}, outro texto o substituiu.",
                sentences.wording(note.version),
                day(note.last),
                day(note.as_known),
            )
        case n.NotInForceToday():
            return _not_in_force_today(note, sentences)
        case n.NoEffectToday():
            has = sentences.wording(note.with_effect) if note.with_effect is not None else "nenhum"
            return format_markup(
                "Este texto não tem eficácia hoje. Texto com eficácia em {}: {}.", day(note.today), has
            )
        case n.NextToCome():
            return format_markup(
                "{}: este é o texto que {} a partir de {}.",
                _not_today(note, sentences),
                "vigorará" if note.axis is Axis.FORCE else "terá eficácia",
                day(note.start),
            )
        case n.MostRecentPast():
            until = format_markup(", até {}", day(note.until - ONE_DAY)) if note.until is not None else ""
            return format_markup(
                "{}: este é o último texto que {}{}.", _not_today(note, sentences), _past_phrase(note), until
            )
        case n.BeforeFirstMemento():
            return format_markup(
                "O dia pedido ({}) é anterior ao primeiro texto conhecido, que é de {}.", day(note.day), day(note.first)
            )
        case n.AfterToday():
            return format_markup("O dia {} ainda não chegou: a resposta considera o publicado até hoje.", day(note.day))
        case n.NoHarvestDate():
            return Markup("As fontes desta resposta não informam a data da coleta.")
        case n.OutsideKnowledgeHorizon():
            return sentences.words("norm.notice_horizon", day=day(note.horizon))
        case n.NoVersionDates():
            named = (
                format_markup("; o nome da norma traz apenas o seu ano ({})", note.year)
                if note.year is not None
                else ""
            )
            if note.day is not None:
                named = format_markup("; o nome da norma traz apenas a sua data ({})", day(note.day))
            return format_markup("Nenhuma fonte informa o início da vigência{}.", named)
        case n.Undated():
            return _undated(note, sentences)
        case n.UndatedText():
            which = format_markup(" ({})", sentences.wording(note.version)) if note.version is not None else ""
            return format_markup("Nenhuma fonte informa se, ou quando, este texto{} vigorou.", which)
        case n.BeforePublication():
            return format_markup(
                "Segundo as fontes, a norma ou o dispositivo só é conhecido a partir de {}, depois do dia pedido ({}).",
                day(note.first),
                day(note.on),
            )
        case n.EarlierTextUnknown():
            since = format_markup(", conhecido desde {},", day(note.first)) if note.first is not None else ""
            return format_markup(
                "O primeiro texto conhecido{} pressupõe outro, que nenhuma fonte publica: o texto anterior é "
                "desconhecido.",
                since,
            )
        case n.AmendmentWithoutVersion():
            return format_markup(
                "Uma fonte informa uma alteração {}, mas nenhuma versão deste acervo resulta dela.",
                sentences.by_one(note.amending, short=True),
            )
        case n.DatesBeforeNorm():
            listed = Markup(", ").join(_dated(version, sentences) for version in note.versions[:_SHOWN])
            return format_markup(
                "Uma fonte atribui a uma versão data anterior à da própria norma ({}): a vigência é retroativa ou há "
                "erro na fonte. Versões: {}{}.",
                day(note.oldest),
                listed,
                "…" if len(note.versions) > _SHOWN else "",
            )
        case n.DatesOfWording():
            return Markup(
                "As datas destas redações são as de assinatura das normas alteradoras, e não as de entrada em vigor."
            )
        case n.NormUndated():
            return format_markup(
                "As fontes não informam o dia em que a norma ({}) entrou em vigor: o dispositivo pode ter entrado em "
                "vigor depois do dia indicado.",
                sentences.title(note.norm),
            )
        case n.CommencementChanged():
            by = Markup(", ").join(sentences.link(act, short=True) for act in note.acts)
            which = format_markup(" ({})", sentences.title(note.norm)) if parse(note.norm) != sentences.own_norm else ""
            return format_markup(
                "A cláusula de vigência da norma{} foi alterada{}: alguns artigos podem ter início de vigência "
                "diferente do indicado nesta resposta.",
                which,
                format_markup(" ({})", by) if by else "",
            )
        case n.ActDays():
            return _act_days(note, sentences)
        case n.CuratedFact():
            cited = (
                format_markup(" (fonte: {})", sentences.cited_source(note.source)) if note.source is not None else ""
            )
            return format_markup("Fato informado pelo curador “{}”, e não por um provedor{}.", note.curator, cited)
        case n.SourcesContradict():
            return contradicting_statements(note, sentences)
        case n.EfficacyDiffers():
            return _efficacy(note, sentences)
        case n.MeasureLapsed():
            return _measure_lapsed(note, sentences)
        case n.TermPassed():
            return format_markup(
                "O prazo máximo de vigência da {} terminou antes de {} (Constituição, art. 62, §§ 3º, 4º, 7º e 12), e "
                "as fontes não informam conversão em lei, rejeição ou perda de eficácia.",
                sentences.link(note.measure, short=True),
                day(note.since),
            )
        case n.ConversionGap():
            ended = (
                format_markup("em {}", sentences.day(note.ended)) if note.ended is not None else "em data não informada"
            )
            return format_markup(
                "A {}, deixou de vigorar {}, e a lei de conversão ({}) só entrou em vigor em {}: por essas datas, "
                "nenhuma das duas vigorava nesse intervalo.",
                sentences.link(note.measure, short=True),
                ended,
                sentences.link(note.law, short=True),
                day(note.start),
            )
        case n.NotYetInForce():
            return format_markup(
                "Texto anterior à entrada em vigor, em {}: o texto que entrar em vigor pode ser outro.",
                day(note.start),
            )
        case n.ProvisionsInForceEarly():
            return format_markup(
                "Já em vigor nesse dia, embora a norma ainda não estivesse: {}.", _links(note.provisions, sentences)
            )
        case n.ProvisionsNotYetInForce():
            start = format_markup("vigência a partir de {}", day(note.start)) if note.start is not None else None
            since = start or "início da vigência não informado"
            left_out = _links(note.provisions, sentences)
            sentence = "Não constam deste texto, por ainda não vigorarem no dia consultado ({}): {}."
            return format_markup(sentence, since, left_out)
        case n.NotInText():
            return format_markup(
                "O texto em vigor nesse dia ({}) não tem este dispositivo.", sentences.wording(note.version)
            )
        case n.DerivedText():
            acts = Markup(", ").join(sentences.link(act, short=True) for act in note.acts)
            base = format_markup(", aplicados a {}", sentences.wording(note.base)) if note.base is not None else ""
            return format_markup(
                "Este texto (a partir de {}) não consta das fontes: resulta dos atos que alteraram a norma ({}{}).",
                day(note.day),
                acts,
                base,
            )
        case n.DerivedDiffers():
            acts = Markup(", ").join(sentences.link(act, short=True) for act in note.acts)
            listed = Markup("; ").join(sentences.link(name) for name in note.provisions)
            return format_markup(
                "Segundo os atos que alteraram a norma ({}), desde {} o texto destes dispositivos seria outro: {}.",
                acts,
                day(note.day),
                listed,
            )
        case n.OrderNotApplied():
            return format_markup(
                "{} determina alteração que não foi aplicada a este texto e cita: {}.",
                sentences.link(note.act, short=True),
                Markup("; ").join(sentences.link(name) for name in note.provisions),
            )
        case n.TextUnknown():
            is_first = parse(note.version).event in FIRST_TEXT_EVENTS
            key = "norm.text_missing_first" if is_first else "norm.text_missing"
            text = sentences.words(key, text=sentences.wording(note.version))
            if note.nearest is not None:
                address = sentences.frame.to(name_path(note.nearest))
                nearest = format_markup('<a href="{}">{}</a>', address, sentences.wording(note.nearest))
                text += sentences.words("norm.text_nearest", text=nearest)
            return text
        case n.WordsUnknown():
            if not note.provisions:
                return Markup("Nenhuma fonte tem a redação desta versão do dispositivo.")
            return format_markup(
                "Nenhuma fonte tem a redação destes dispositivos naquela data: {}.", _links(note.provisions, sentences)
            )
        case n.Vetoed():
            return Markup("O dispositivo foi vetado.")
        case n.ProvisionsMarked():
            return format_markup(
                "O texto traz dispositivos com a situação “{}”: {}.",
                sentences.situation_mark(note.situation, ""),
                _links(note.provisions, sentences),
            )
        case n.Interpreted():
            return _interpretation_sentence(note, sentences)
        case n.CaputEnded():
            return format_markup(
                'O <a href="{}">caput</a> deste artigo não está em vigor ({}). O texto mostra os demais dispositivos.',
                sentences.path(note.caput),
                sentences.words(f"status.{note.status.value}").lower(),
            )
        case n.UndecidedProvisions():
            return format_markup(
                "As fontes não permitem determinar a vigência ou a redação destes dispositivos: {}.",
                _links(note.provisions, sentences),
            )
        case n.PassagesOmitted():
            return Markup("A fonte omite trechos destes textos: não é possível saber se eles mudaram.")
        case n.NotComparable():
            days = format_markup(" ({})", Markup(" e ").join(map(day, note.days))) if note.days else ""
            return format_markup("As fontes não permitem determinar o texto{}: não é possível comparar.", days)
        case n.NoTextInForce():
            return format_markup(
                "Não há texto a comparar: em nenhum dos dois dias havia um em vigor ({}: {}; {}: {}).",
                day(note.since),
                sentences.words(f"status.{note.before.value}").lower(),
                day(note.until),
                sentences.words(f"status.{note.after.value}").lower(),
            )
        case _:
            assert_never(note)


def _interpretation_sentence(note: n.Interpreted, sentences: Phrases) -> Markup:
    """Return the sentence on a ruling that interprets a norm or provision."""
    ruling = sentences.link(note.ruling, short=True) if note.ruling is not None else Markup("decisão não informada")
    event = _INTERPRETATIONS.get(note.event) or sentences.event(note.event)
    text = format_markup("{}, {}: {}", event, sentences.label(note.target), ruling)
    if note.known is not None:
        text += format_markup(" (publicação {})", sentences.published(note.known))
    if note.effect is not None:
        text += format_markup(", com alcance {}", sentences.when(note.effect))
    text += ". A vigência, a eficácia e a redação não mudam (Lei nº 9.868/1999, art. 28, parágrafo único)."
    return text + " A decisão trata de redação anterior à desta data." if note.earlier_wording else text


def _act_days(act_days: n.ActDays, sentences: Phrases) -> Markup:
    feminine = is_feminine_name(act_days.act, sentences.vocabulary)
    cited = ""
    if sentences.title(act_days.named) not in {sentences.title(act_days.act), sentences.short(act_days.act)}:
        cited = format_markup(
            " {} na fonte como “{}”,", "citada" if feminine else "citado", sentences.title(act_days.named)
        )
    act = format_markup(
        "{} {},{} é de {}",
        "A" if feminine else "O",
        sentences.short(act_days.act),
        cited,
        sentences.words.time(act_days.signed),
    )
    if act_days.published is None:
        by_year = parse(act_days.named).representative_date is None and not cited
        return format_markup(
            "{} {},{} foi {} em {}; as fontes não informam a data da publicação.",
            "A" if feminine else "O",
            sentences.short(act_days.act),
            " que a fonte cita só pelo ano," if by_year else cited,
            "assinada" if feminine else "assinado",
            sentences.words.time(act_days.signed),
        )
    day = sentences.words.time(act_days.published)
    made = "publicada" if feminine else "publicado"
    return act + format_markup(" e foi {} em {}: a alteração é conhecida desde essa data.", made, day)


def _measure_lapsed(notice: n.MeasureLapsed, sentences: Phrases) -> Markup:
    """Return the sentence for a measure that lost its effect (Constitution, article 62, §§ 3, 11 and 12)."""
    measure = sentences.link(notice.measure, short=True)
    provisions = _links(notice.provisions, sentences)
    changed = format_markup(" Dispositivos alterados: {}.", provisions) if provisions else Markup("")
    first = None
    if notice.effect is not None:
        day = day_stated(notice.effect)
        is_exact = day is not None and day.exact is not None
        first = sentences.day(notice.effect) if is_exact else sentences.when(notice.effect)
    if notice.is_earlier:
        return (
            format_markup(
                "A {}, {}{}. O que não foi convertido em lei perdeu a eficácia desde a edição, salvo reedição dentro "
                "do prazo (Constituição, art. 62, parágrafo único, na redação anterior à EC nº 32, de 2001).",
                measure,
                _MEASURE_ENDS[notice.end],
                format_markup(" (primeiro dia sem vigência: {})", first) if first is not None else "",
            )
            + changed
        )
    if notice.end in {n.MeasureEnd.NOT_KEPT, n.MeasureEnd.NOT_STATED}:
        return format_markup(
            "A {}, {}{}, que por isso perdeu a eficácia desde a edição (Constituição, art. 62, §§ 3º, 11 e 12), "
            "ressalvadas as relações jurídicas disciplinadas por decreto legislativo (§ 3º) ou conservadas nos termos "
            "do § 11.{}",
            measure,
            _MEASURE_ENDS[notice.end],
            format_markup(" ({})", provisions) if provisions else "",
            format_markup(" Primeiro dia sem vigência: {}.", first) if first is not None else "",
        )
    return (
        format_markup(
            "A {}, {}{} e perdeu a eficácia desde a edição (Constituição, art. 62, § 3º), ressalvadas as relações "
            "jurídicas disciplinadas por decreto legislativo ou conservadas nos termos do § 11.",
            measure,
            _MEASURE_ENDS[notice.end],
            format_markup(" (primeiro dia sem vigência: {})", first) if first is not None else "",
        )
        + changed
    )


def _links(names: Sequence[str], sentences: Phrases, count: int | None = None) -> Markup:
    """Return the first names as links, and the number of the others."""
    rest = (len(names) if count is None else count) - len(names[:_SHOWN])
    links = Markup(", ").join(sentences.link(name) for name in names[:_SHOWN])
    return links + (f" e mais {rest}" if rest > 0 else "")


def _occupant(occupant: n.Occupant, sentences: Phrases) -> Markup:
    if occupant.start is None:
        return format_markup(
            "{} (vigência não informada até {})", sentences.link(occupant.name), sentences.words.time(occupant.known)
        )
    days = sentences.interval(occupant.start, occupant.until)
    return format_markup(
        "{} ({}, conforme o publicado até {})",
        sentences.link(occupant.name),
        days,
        sentences.words.time(occupant.known),
    )


def _withdrawn(notice: n.RecordWithdrawn, sentences: Phrases) -> Markup:
    if notice.record is None:
        return format_markup(
            "Outros registros sobre este nome que não estão mais disponíveis: {}.", sentences.words.number(notice.more)
        )
    if notice.curated:
        fact = format_markup("O fato “{}” foi retirado pelo curador", notice.record)
        if notice.withdrawn_on is not None:
            return format_markup("{} em {}.", fact, sentences.words.time(notice.withdrawn_on))
        return format_markup("{}; a data não foi informada.", fact)
    of = format_markup(" de {}", notice.provider) if notice.provider is not None else ""
    which = format_markup("Um registro sobre este nome ({}{})", notice.record, of)
    if notice.missing_since is not None:
        since = sentences.words.time(notice.missing_since)
        return format_markup("{} não é mais listado pelo provedor, o que foi constatado em {}.", which, since)
    if notice.withdrawn_on is not None:
        return format_markup("{} foi retirado pelo provedor em {}.", which, sentences.words.time(notice.withdrawn_on))
    return format_markup("{} foi retirado pelo provedor; a data não foi informada.", which)


def _unknown_version(notice: n.UnknownVersion, sentences: Phrases) -> Markup:
    which = sentences.words.time(notice.day) if notice.day is not None else sentences.label(notice.asked)
    if notice.views:
        views = Markup("; ").join(_view(view, sentences) for view in notice.views)
        return format_markup("Nenhuma versão tem essas datas. Da versão de {}, as fontes informam só {}.", which, views)
    near = Markup(" e ").join(map(sentences.words.time, notice.neighbours))
    beside = format_markup("; as mais próximas são de {}", near) if notice.neighbours else ""
    return format_markup("Nenhuma versão tem essas datas ({}){}.", which, beside)


def _view(view: n.View, sentences: Phrases) -> Markup:
    on = format_markup(" em {}", sentences.words.time(view.day)) if view.day is not None else ""
    return format_markup("{}{}", sentences.event(view.event).lower(), on)


def _not_in_force_today(notice: n.NotInForceToday, sentences: Phrases) -> Markup:
    if notice.changed is not None:
        since = format_markup(" desde {}", sentences.words.time(notice.since)) if notice.since is not None else ""
        return format_markup(
            "Este não é o texto em vigor hoje. Conteúdo alterado: {}{}.", sentences.label(notice.changed), since
        )
    if notice.in_force is None:
        return format_markup("Nenhum texto está em vigor hoje, {}.", sentences.words.time(notice.today))
    now = sentences.wording(notice.in_force)
    return format_markup(
        "Este não é o texto em vigor hoje. Em vigor em {}: {}.", sentences.words.time(notice.today), now
    )


def _not_today(notice: n.NextToCome | n.MostRecentPast, sentences: Phrases) -> Markup:
    state = "em vigor" if notice.axis is Axis.FORCE else "com eficácia"
    yet = "ainda não está" if isinstance(notice, n.NextToCome) else "não está"
    status = sentences.status_word(notice.status, notice.name).lower()
    norm = sentences.link(notice.name, "")  # a link to today's text on every page
    return format_markup(
        "Hoje ({}) a norma ({}) {} {} ({})", sentences.words.time(notice.today), norm, yet, state, status
    )


def _past_phrase(notice: n.MostRecentPast) -> str:
    return "vigorou" if notice.axis is Axis.FORCE else "teve eficácia"


def _undated(notice: n.Undated, sentences: Phrases) -> Markup:
    reported = "As fontes não informam a data exata de um ou mais eventos."
    if notice.events:
        return format_markup(
            "{} Eventos: {}.", reported, ", ".join(sentences.event(event).lower() for event in notice.events)
        )
    if notice.words:
        return format_markup("{} Uma fonte não informa o primeiro dia de vigência.", reported)
    missing = " nem ".join(_MISSING[part] for part in notice.missing)
    return (
        format_markup("{} Uma fonte nomeia uma versão, mas não informa {}.", reported, missing)
        if missing
        else format_markup(reported)
    )


def _dated(version: n.DatedVersion, sentences: Phrases) -> Markup:
    stated = (("em vigor desde", version.version_date), ("conhecida desde", version.view_date))
    days = Markup(" e ").join(
        format_markup("{} {}", day_label, sentences.words.time(day)) for day_label, day in stated if day is not None
    )
    return format_markup("{} ({})", sentences.wording(version.name), days)


def _efficacy(notice: n.EfficacyDiffers, sentences: Phrases) -> Markup:
    force = sentences.words(f"status.{notice.force.value}")
    joined = " " if notice.status is Status.SUSPENDED else ", "
    if notice.status.stands:
        effect = "mas com eficácia"
    elif notice.status is Status.UNKNOWN:
        effect = "com eficácia indeterminada"
    elif notice.status is Status.SUSPENDED:
        effect = "com a eficácia suspensa"
    elif notice.status is Status.VACATIO:
        effect = "ainda sem eficácia"
    else:
        effect = f"mas sem eficácia ({sentences.words(f'status.{notice.status.value}').lower()})"
    days = ""
    if notice.since is not None or notice.until is not None:
        days = format_markup("{}{}", joined, _interval(notice.since, notice.until, sentences))
    because = Markup("; ").join(_event(reason, sentences) for reason in _distinct_reasons(notice.because))
    return format_markup("{}, {}{}{}.", force, effect, days, format_markup(": {}", because) if because else "")


def _distinct_reasons(because: Iterable[Reason]) -> list[Reason]:
    return list({(reason.event, reason.effect, reason.known, reason.cause): reason for reason in because}.values())


def _event(reason: Reason, sentences: Phrases) -> Markup:
    by = format_markup(" {}", sentences.by_one(reason.cause, short=True)) if reason.cause is not None else ""
    return format_markup(
        "{}{}, {}, publicação {}",
        sentences.event_of(reason)[:1].lower() + sentences.event_of(reason)[1:],
        by,
        effect_of_reason(reason, sentences),
        sentences.published(reason.known),
    )


def _interval(since: date | None, until: date | None, sentences: Phrases) -> Markup:
    if since is None:
        return format_markup("até {}", sentences.words.time(until - ONE_DAY)) if until is not None else Markup("")
    return sentences.interval(since, until)

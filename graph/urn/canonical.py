"""Canonical spelling: from the parts of a name to its one text.

Names of Brazil are written as LexML 1.0 writes them (part 2, Annex A). A view whose event is not known stays in the
spelling of 0.7, for no event is made up. Names of other jurisdictions follow RFC 9676, section 8.
"""

from __future__ import annotations

from datetime import date

from graph.urn.lexml07 import needs_07
from graph.urn.values import Descritor, Dialect, Forma, Fragmento, Parted, Reading, RfcParts, Versao

_ASKED = frozenset({"versao.vigente.em", "versao.eficaz.em", "versao.consultada.em"})


def canonical(reading: Reading) -> str:
    """Return the canonical name of the parts of a name.

    Two texts that mean the same parts give the same name, and reading that name gives those parts again.
    """
    if reading.dialect is Dialect.RFC_9676:
        return _rfc(reading)
    place = ";".join((reading.local.pais, *reading.local.detalhe))
    work = (
        f"urn:lex:{place}:{_subjects(reading, ',')}:{';'.join(reading.tipo_documento)}:{_descritor(reading.descritor)}"
    )
    form = f"~{_forma(reading.forma)}" if reading.forma else ""
    fragment = _fragmento(reading.fragmento) if reading.fragmento else ""
    asked = f"${reading.propriedade.tipo}={reading.propriedade.data}" if reading.propriedade else ""
    versao = reading.versao
    if versao is None:
        return f"{work}{form}{'!' if fragment else ''}{fragment}{asked}"
    if not keeps_07(reading):
        return f"{work}@{_versao(versao)}{form}{'!' if fragment else ''}{fragment}{asked}"
    version = _versao(versao)
    view = _datas(versao.visao, periodo=versao.visao_periodo)
    return (
        f"{work}{':' if fragment else ''}{fragment}{'@' if version else ''}{version}"
        f"{'!' if view else ''}{view}{form}{asked}"
    )


def keeps_07(reading: Parted) -> bool:
    """Whether the canonical name is spelled as in LexML 0.7."""
    return needs_07(reading.versao, old=reading.dialect is Dialect.LEXML_07, anchored=reading.fragmento is not None)


def is_reference(reading: Parted) -> bool:
    """Whether the parts ask a question (LexML 1.0 part 2, Annex B alone) and identify nothing.

    So it is with an alias, without a number or without any date, with a version *in force on*, *in effect on* or *as
    consulted on* a day, with a property, and with 0.7's own references: ``versao.original``, or a view without version
    and event.
    """
    if reading.dialect is Dialect.RFC_9676:
        return False
    descritor = reading.descritor
    dated = bool(descritor.datas) or descritor.ano is not None or descritor.epoca is not None
    if reading.propriedade is not None or not descritor.identificadores or not dated:
        return True
    versao = reading.versao
    if versao is None:
        return False
    if versao.palavra is None:
        return not versao.datas and versao.evento is None
    return versao.palavra in _ASKED or (versao.palavra == "versao.original" and keeps_07(reading))


def _subjects(reading: Reading, between: str) -> str:
    return between.join(map(";".join, reading.autoridade))


def _datas(days: tuple[date, ...], *, periodo: bool) -> str:
    text = ",".join(map(date.isoformat, days))
    return f"[{text}]" if periodo else text


def _descritor(descritor: Descritor) -> str:
    parts: list[str] = []
    if descritor.datas:
        parts.append(_datas(descritor.datas, periodo=descritor.periodo))
    elif descritor.ano is not None:
        parts.append(f"{descritor.ano:04d}")
    elif descritor.epoca is not None:
        parts.append(descritor.epoca)
    elif descritor.identificadores:
        parts.append("")
    if descritor.identificadores:
        parts.append(",".join(descritor.identificadores))
    elif descritor.apelido is not None:
        parts.append(descritor.apelido)
    for part in descritor.componentes:
        parts.append(part.id if part.titulo is None else f"{part.id},{part.titulo}")
    if descritor.retificacao is not None:
        parts.append(f"retificacao.{descritor.retificacao}")
    return ";".join(parts)


def _versao(versao: Versao) -> str:
    parts = [versao.palavra or _datas(versao.datas, periodo=versao.periodo)]
    if versao.data is not None:
        parts.append(versao.data.isoformat())
    if versao.evento is not None:
        parts.append(versao.evento)
        if versao.visao:
            hour = f"t{versao.hora:%H.%M}" if versao.hora else ""
            parts.append(_datas(versao.visao, periodo=versao.visao_periodo) + hour)
    return ";".join(parts)


def _forma(forma: Forma) -> str:
    return f"{forma.tipo};{','.join(forma.linguas)}" if forma.linguas else forma.tipo


def _fragmento(fragmento: Fragmento) -> str:
    parts = [part if isinstance(part, str) else f"[{part[0]},{part[1]}]" for part in fragmento.partes]
    if fragmento.inserido_por is not None:
        parts.append(fragmento.inserido_por)
    return ",".join(parts)


def _rfc(reading: Reading) -> str:
    rfc = reading.rfc or RfcParts()
    descritor = reading.descritor
    if descritor.datas:
        places = rfc.datas_locais or (None,) * len(descritor.datas)
        when = ",".join(
            day.isoformat() if place is None else f"{day.isoformat()}|{place}"
            for day, place in zip(descritor.datas, places, strict=True)
        )
    else:
        when = f"{descritor.ano:04d}" if descritor.ano is not None else (descritor.epoca or "")
    segments = [
        ";".join((reading.local.pais, *reading.local.detalhe)),
        _subjects(reading, "+"),
        ";".join(reading.tipo_documento),
        f"{when};{','.join(descritor.identificadores)}",
        *map(";".join, rfc.anexos),
    ]
    text = "urn:lex:" + ":".join(segments)
    if rfc.expressao or rfc.lingua:
        text += "@" + ";".join(rfc.expressao) + (f":{rfc.lingua}" if rfc.lingua else "")
    if rfc.manifestacao:
        text += "$" + ":".join(map(";".join, rfc.manifestacao))
    return text if rfc.particao is None else f"{text}~{rfc.particao}"

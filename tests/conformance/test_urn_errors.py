"""Tests of refused names: the whole message of some, and the code on both sides of each boundary."""

from __future__ import annotations

import pytest

from graph.errors import BadName, Span
from graph.urn import parse
from graph.urn.deviations import Reason

CDC = "urn:lex:br:federal:lei:1990-09-11;8078"

MESSAGES = [
    (
        "urn:lex:br:federal:lei:2023-02-30;99901",
        (
            "expected a day of the calendar, got '2023-02-30'\n"
            "  urn:lex:br:federal:lei:2023-02-30;99901\n"
            "                         ^^^^^^^^^^\n"
            "see LexML 1.0 part 2, section 4.4"
        ),
    ),
    (
        "urn:lex:br:federal:lei:20230;99901",
        (
            "expected a date YYYY-MM-DD or a year of four digits, got '20230'\n"
            "  urn:lex:br:federal:lei:20230;99901\n"
            "                         ^^^^^\n"
            "see LexML 1.0 part 2, section 10.1"
        ),
    ),
    (
        "urn:lex:br:federal:constituicao",
        (
            "expected a descriptor (date and number) after 'constituicao', got nothing\n"
            "  urn:lex:br:federal:constituicao\n"
            "                     ^^^^^^^^^^^^\n"
            "see LexML 1.0 part 2, section 7"
        ),
    ),
    (
        "urn:lex:br:lei:1990-09-11;8078",
        (
            "expected authority, type and descriptor, got '1990-09-11;8078' with the authority or the type left out\n"
            "  urn:lex:br:lei:1990-09-11;8078\n"
            "                 ^^^^^^^^^^^^^^^\n"
            "see LexML 1.0 part 2, section 7"
        ),
    ),
    (
        "urn:lex:br:federal:medida.provisoria:2023-03-01:789",
        (
            "expected nothing, or a provision, after a complete descriptor, got ':789'\n"
            "  urn:lex:br:federal:medida.provisoria:2023-03-01:789\n"
            "                                                 ^^^^\n"
            "see LexML 1.0 part 2, sections 4.2 and 10.1"
        ),
    ),
    (
        f"{CDC}#art43",
        (
            "expected '!' before a provision, got '#art43': '#' never reaches a resolver\n"
            f"  {CDC}#art43\n"
            "                                        ^^^^^^\n"
            "see LexML 1.0 part 2, sections 4.2 and 11"
        ),
    ),
    (
        f"{CDC}!art43/versions?on=2000-01-01",
        (
            "expected the end of the name, got the tail of a web address '/versions?on=2000-01-01'\n"
            f"  {CDC}!art43/versions?on=2000-01-01\n"
            "                                              ^^^^^^^^^^^^^^^^^^^^^^^\n"
            "see LexML 1.0 part 2, section 4.1"
        ),
    ),
    (
        "urn:lex:br;xx:estadual:lei:2000;99901",
        (
            "expected the abbreviation of one of the 27 units, got 'xx'\n"
            "  urn:lex:br;xx:estadual:lei:2000;99901\n"
            "             ^^\n"
            "see LexML 1.0 part 2, section 6"
        ),
    ),
    (
        "urn:lex:br:federal:lei:8078",
        (
            "expected date and number: a year alone names no document; a number needs its date or year in front, "
            "got '8078'\n"
            "  urn:lex:br:federal:lei:8078\n"
            "                         ^^^^\n"
            "see LexML 1.0 part 2, section 10.1"
        ),
    ),
    (
        "urn:lex:br:federal:lei:11.705",
        (
            "expected a date or a year in front of a number, got '11.705' alone\n"
            "  urn:lex:br:federal:lei:11.705\n"
            "                         ^^^^^^\n"
            "see LexML 1.0 part 2, section 10.1"
        ),
    ),
    (
        f"{CDC}@2001-01-01:art5~texto",
        (
            "expected no ':' after the document: '!' precedes a provision, got ':art5'\n"
            f"  {CDC}@2001-01-01:art5~texto\n"
            "                                                   ^^^^^\n"
            "see LexML 1.0 part 2, sections 4.2 and 11"
        ),
    ),
    (
        f"{CDC}@1991-03-11!2007-01-10!1",
        (
            "expected the event between version and view, or a provision that starts with a letter, "
            "got '@1991-03-11!2007-01-10!1'\n"
            f"  {CDC}@1991-03-11!2007-01-10!1\n"
            "                                        ^^^^^^^^^^^^^^^^^^^^^^^^\n"
            "see LexML 1.0 part 2, section 12.3"
        ),
    ),
    (
        f"{CDC}@vigente",
        (
            "expected dates, versao.original, inicio.vigencia, multivigente, versao.vigente.em, versao.eficaz.em or "
            "versao.consultada.em, got 'vigente'\n"
            f"  {CDC}@vigente\n"
            "                                         ^^^^^^^\n"
            "see LexML 1.0 part 2, section 12.3"
        ),
    ),
    (
        f"{CDC}!art1!art2",
        (
            "expected one fragment, got a second: '!art2'\n"
            f"  {CDC}!art1!art2\n"
            "                                             ^^^^^\n"
            "see LexML 1.0 part 2, section 5.1"
        ),
    ),
    (
        "urn:lex:uk:house.lords:judgment:1990-02-08;99901!opinion",
        (
            "'!' is reserved in names outside Brazil; '~' precedes a partition\n"
            "  urn:lex:uk:house.lords:judgment:1990-02-08;99901!opinion\n"
            "                                                  ^\n"
            "see RFC 9676, section 3.2"
        ),
    ),
    (
        "urn:lex:br:federal:lei:1990-09-11;8078\x00",
        (
            "expected letters, digits and signs, got the character U+0000\n"
            "  urn:lex:br:federal:lei:1990-09-11;8078\ufffd\n"
            "                                        ^\n"
            "see LexML 1.0 part 2, section 4.1"
        ),
    ),
    (
        "urn:isbn:0451450523",
        (
            "expected a name that starts with 'urn:lex:', got 'urn:isbn:0451450523'\n"
            "  urn:isbn:0451450523\n"
            "  ^^^^^^^^\n"
            "see LexML 1.0 part 2, section 3"
        ),
    ),
]


@pytest.mark.parametrize(("text", "message"), MESSAGES, ids=[message.partition("\n")[0] for _, message in MESSAGES])
def test_error_has_its_message(text: str, message: str) -> None:
    with pytest.raises(BadName) as refused:
        parse(text)
    assert str(refused.value) == message
    assert refused.value.text == text


CODES = [
    ("", "empty"),
    (" \t\n", "empty"),
    ("x" * 4097, "too-long"),
    ("x" * 4096, "no-prefix"),
    ("urn:lex:", "bad-jurisdiction"),
    ("urn:lex::lei:2002;12948", "bad-jurisdiction"),
    ("urn:lex:brasil:federal:lei:2000;99901", "bad-jurisdiction"),
    ("urn:lex:br\u00e1:federal:lei:2000;99901", "bad-jurisdiction"),
    ("urn:lex:br-x:federal:lei:2000;99901", "bad-jurisdiction"),
    ("urn:lex:br", "descriptor-missing"),
    ("urn:lex:br:federal:lei:", "descriptor-missing"),
    ("urn:lex:br:federal:lei:@1990-09-11", "descriptor-missing"),
    ("urn:lex:br:federal:1990-09-11;8078", "authority-or-type-missing"),
    ("urn:lex:br::lei:1990-09-11;8078", "empty-part"),
    ("urn:lex:br:federal::1990-09-11;8078", "empty-part"),
    ("urn:lex:br;:federal:lei:1990-09-11;8078", "empty-part"),
    ("urn:lex:br;acre;rio.branco;centro:municipal:lei:2000;99901", "bad-local"),
    ("urn:lex:br;justica.canonica:tribunal:acordao:2000;99901", "bad-local"),
    ("urn:lex:br;sao_paulo:estadual:lei:2000;99901", "bad-local"),
    ("urn:lex:br:fede_ral:lei:2000;99901", "bad-authority"),
    ("urn:lex:br:federal:le-i:2000;99901", "bad-type"),
    ("urn:lex:br:federal:lei;a;b:2000;99901", "bad-type"),
    ("urn:lex:br:federal:publicacao.oficial;a;b;c;d:2000;99901", "bad-type"),
    ("urn:lex:br:federal:lei:0000;99901", "bad-date"),
    ("urn:lex:br:federal:lei:0000-01-01;99901", "bad-date"),
    ("urn:lex:br:federal:lei:199;99901", "bad-date"),
    ("urn:lex:br:federal:lei:1990-9-11;8078", "bad-date"),
    ("urn:lex:br:federal:lei:1990-09;8078", "bad-date"),
    ("urn:lex:br:federal:lei:11705", "bad-date"),
    ("urn:lex:br:federal:lei:1990-09-11,;8078", "bad-date"),
    ("urn:lex:br:federal:lei:[1990-09-11];8078", "bad-period"),
    ("urn:lex:br:federal:lei:[1990-09-11,1990-09-10];8078", "bad-period"),
    ("urn:lex:br:federal:lei:[1990-09-11,1990-09-12;8078", "bad-period"),
    ("urn:lex:br:federal:lei:1990-09-11;", "empty-part"),
    ("urn:lex:br:federal:lei:1990-09-11;8078,", "empty-part"),
    ("urn:lex:br:federal:lei:1990-09-11;80=78", "bad-number"),
    ("urn:lex:br:federal:tema:previdencia-social", "bad-alias"),
    (f"{CDC};", "empty-part"),
    (f"{CDC};anexo-1", "bad-component"),
    (f"{CDC};anexo.1,", "bad-component"),
    (f"{CDC}@", "empty-part"),
    (f"{CDC}@1991-03-11;", "bad-event"),
    (f"{CDC}@1991-03-11;1991-03-12", "bad-event"),
    (f"{CDC}@1991-03-11;.;1991-03-12", "bad-event"),
    (f"{CDC}@;", "empty-part"),
    (f"{CDC}@;;1990-09-12", "bad-event"),
    (f"{CDC}@;publicacao;", "bad-date"),
    (f"{CDC}!2023-02-30", "bad-date"),
    (f"{CDC}![2007-01-11,2007-01-10]", "bad-period"),
    (f"{CDC}![2007-01-10]", "bad-fragment"),
    (f"{CDC}![1,2]@1991-03-11!2007-01-10", "bad-fragment"),
    (f"{CDC}!1@versao.original$vig=2000-01-01", "bad-fragment"),
    (f"{CDC}:1", "extra-colon"),
    (f"{CDC}~texto:art5", "extra-colon"),
    ("urn:lex:br:federal:lei:8078@1991-03-11", "number-missing"),
    ("urn:lex:br:federal:lei:8078;retificacao.1", "number-missing"),
    (f"{CDC}@1991-03-11;publicacao;", "bad-date"),
    (f"{CDC}@versao.vigente.em", "bad-date"),
    (f"{CDC}@data.evento", "bad-version"),
    (f"{CDC}@data.evento;leitura;2017-04-10t24.00", "bad-time"),
    (f"{CDC}@data.evento;leitura;2017-04-10t23.60", "bad-time"),
    (f"{CDC}@data.evento;leitura;2017-04-10t9.30", "bad-version"),
    (f"{CDC}@1991-03-11@1993-05-22", "repeated-part"),
    (f"{CDC}@1991-03-11!2007-01-10!2007-01-11", "repeated-part"),
    (f"{CDC}@1991-03-11;publicacao;1990-09-12!2007-01-10", "repeated-part"),
    (f"{CDC}:art1!art2", "repeated-part"),
    (f"{CDC}~texto@1991-03-11", "misplaced-part"),
    (f"{CDC}@1991-03-11~texto!2007-01-10", "misplaced-part"),
    (f"{CDC}$vig=1991-03-11!art1", "misplaced-part"),
    (f"{CDC}$vig=1991", "bad-date"),
    ("urn:lex:br:federal:lei:1990-09-11!art43@1991-03-11!2007-01-10", "number-missing"),
    (f"{CDC}$val=1991-03-11", "bad-property"),
    (f"{CDC}~", "empty-part"),
    (f"{CDC}~texto;", "bad-form"),
    (f"{CDC}~texto;pt-br-x-y", "bad-form"),
    (f"{CDC}~texto,es", "bad-form"),
    (f"{CDC}!art1,", "empty-part"),
    (f"{CDC}![art1,art2", "bad-fragment"),
    (f"{CDC}![art1,art2,art3]", "bad-fragment"),
    (f"{CDC}!art1,art2,lei-13853-2019-07-08", "bad-fragment"),
    (f"{CDC}!art1,lei-13853-2019-02-30", "bad-date"),
    (f"{CDC}:", "extra-colon"),
    (f"{CDC}:2007", "extra-colon"),
    (f"{CDC}:art1:art2", "extra-colon"),
    ("urn:lex:br:federal:lei:lei.maria.penha:art5", "extra-colon"),
    (f"{CDC}/95", "slash-in-id"),
    (f"{CDC}&a=b", "url-tail"),
    (f"{CDC} art1", "bad-character"),
    (f"{CDC}%", "bad-percent"),
    (f"{CDC}%2", "bad-percent"),
    (f"{CDC}%E9", "bad-percent"),
    (f"{CDC}%2521art1", "bad-percent"),
    (f"{CDC}%00", "bad-character"),
    (f"{CDC}\u200b", "bad-character"),
    (f"{CDC}\ufffd", "bad-character"),
    (f"{CDC}\ud800", "bad-character"),
    (f"{CDC}\uff10", "bad-character"),
    (f"{CDC}\u00ba", "bad-character"),
    ("urn:lex:br:\u0301federal:lei:1990-09-11;8078", "bad-character"),
    ("urn:lex:br:[a-z.]+:[a-z.]+", "template"),
    ("urn:lex:br:federal:lei:...", "template"),
    ("urn:lex:it:stato:legge:2003-09-21", "number-missing"),
    ("urn:lex:it:stato:legge:2003-09-21;", "number-missing"),
    ("urn:lex:it:stato:legge", "descriptor-missing"),
    ("urn:lex:it:stato:legge:20030;456", "bad-date"),
    ("urn:lex:it:stato:legge:2003-09-21;456@a-b", "bad-version"),
    ("urn:lex:it:stato:legge:2003-09-21;456@original:x", "bad-language"),
    ("urn:lex:it:stato:legge:2003-09-21;456$text-xml", "bad-manifestation"),
    ("urn:lex:it:stato:legge:2003-09-21;456~art1@original", "misplaced-part"),
    ("urn:lex:it:stato:legge:2003-09-21;456~", "bad-fragment"),
    ("urn:lex:it;a-b:stato:legge:2003-09-21;456", "bad-local"),
    ("urn:lex:it:stato:legge:2003-09-21;456*", "reserved-character"),
    ("urn:lex:it:stato:legge:2003-09-21;%C3", "bad-percent"),
]


@pytest.mark.parametrize(("text", "code"), CODES, ids=[f"{code}: {text[:60]!r}" for text, code in CODES])
def test_error_has_its_code(text: str, code: str) -> None:
    with pytest.raises(BadName) as refused:
        parse(text)
    assert refused.value.code == code, str(refused.value)


def test_spans_are_offsets_in_the_original_text() -> None:
    with pytest.raises(BadName) as refused:
        parse("  URN%3ALEX%3ABR%3Afederal%3Alei%3A2023-02-30%3B99901")
    assert refused.value.span == Span(35, 45)
    assert refused.value.text[35:45] == "2023-02-30"


def test_every_reason_is_tested() -> None:
    seen = {code for _, code in CODES}
    for text, _ in MESSAGES:
        with pytest.raises(BadName) as refused:
            parse(text)
        seen.add(refused.value.code)
    assert seen == {reason.value for reason in Reason}

"""LexML XML documents of fictional laws, written as short lines.

The first line is the name. The other lines are::

    published 2001-03-06 2001-06-01                  the days of publication and of the start of force
    event a 2002-02-01 ModificacaoTextual art1_cpt SOURCE alvo=TARGET
    art1_cpt >a Words.                               a provision: identifier, marks, [label], words
    art1_cpt <a Other words.                         >a: it ends with event a; <a: it begins; =vetado: its situation
    cap1                                             a chapter; the lines under it are indented by two spaces

An article and a caput that no line states are added. The label of an article or paragraph is that of its identifier.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LINE = re.compile(r"( *)([a-z]+[0-9][a-z0-9_-]*|ementa|epigrafe)((?: [<>=][^ ]+)*)(?: \[([^]]*)\])?(?: (.+))?")
_MARKS = {"<": ' eventoInicial="#{}"', ">": ' eventoFinal="#{}"', "=": ' situacao="{}"'}
_ELEMENTS = {
    "art": "Artigo",
    "cpt": "Caput",
    "par": "Paragrafo",
    "inc": "Inciso",
    "ali": "Alinea",
    "cap": "Capitulo",
    "omi": "Omissis",
}
_ON_FRAGMENTS = {"ModificacaoTextual", "RevogacaoParcial", "AnulamentoParcial", "DerrubadaVetoParcial"}
_HEAD = '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'


@dataclass(slots=True)
class _Part:
    fragment: str
    attributes: str = ""
    label: str | None = None
    words: str | None = None
    parts: list[_Part] = field(default_factory=list)

    def latest(self, fragment: str) -> _Part | None:
        """Return the latest part with this identifier, at any depth."""
        for part in reversed(self.parts):
            if (found := part if part.fragment == fragment else part.latest(fragment)) is not None:
                return found
        return None

    def holder(self, fragment: str) -> _Part:
        """Return the part that contains a provision; parts that no line states are added."""
        within = fragment.rpartition("_")[0]
        if not within:
            return self
        if (found := self.latest(within)) is None:
            found = _Part(within, label=_label(within))
            self.holder(within).parts.append(found)
        return found

    def xml(self) -> str:
        element = _ELEMENTS[re.sub("[0-9].*", "", self.fragment.rpartition("_")[2])]
        label = f"<Rotulo>{self.label}</Rotulo>" if self.label else ""
        words = f"<p>{self.words}</p>" if self.words else ""
        inside = label + words + "".join(part.xml() for part in self.parts)
        return f'<{element} id="{self.fragment}"{self.attributes}>{inside}</{element}>'


def _label(fragment: str) -> str | None:
    match = re.match("([a-z]+)([0-9]*)", last := fragment.rpartition("_")[2])
    assert match is not None, fragment
    kind, number = match.groups()
    letter = last[match.end() :]
    if kind not in {"art", "par"}:
        return None
    if letter == "u":
        return "Artigo único." if kind == "art" else "Parágrafo único."
    inserted = f"-{chr(ord('A') + int(letter[1:]) - 1)}" if letter.startswith("-") else ""
    return f"{'Art.' if kind == 'art' else '§'} {number}{'º' if int(number) < 10 else ''}{inserted}"


def _event(line: str) -> str:
    identifier, day, kind, *more = line.split()
    local = " ".join(word for word in more if re.match("(art|cap)[0-9]", word))
    target = "".join(word.removeprefix("alvo=") for word in more if word.startswith("alvo="))
    source = "".join(word for word in more if word.startswith("urn:"))
    stated = (("FonteURN", source), ("AlvoURN", target), ("AlvoLocal", local))
    attributes = "".join(f' {key}="{value}"' for key, value in stated if value)
    element = f"<{kind}{attributes}/>"
    if kind in _ON_FRAGMENTS:
        element = f"<AlteracaoFragmento>{element}</AlteracaoFragmento>"
    return f'<Evento id="{identifier}" data="{day}">{element}</Evento>'


def law_document(written: str) -> str:
    """Return the XML of a document written as lines."""
    name, *lines = (line.rstrip() for line in written.strip("\n").splitlines() if line.strip())
    events, depths = "", [_Part("")]
    for line in lines:
        first, _, rest = line.partition(" ")
        if first == "published":
            publication, start = rest.split()
            events += _event(f"p {publication} Publicacao") + _event(f"v {start} EntradaEmVigor")
            continue
        if first == "event":
            events += _event(rest)
            continue
        match = _LINE.fullmatch(line)
        assert match is not None, f"not a provision: {line}"
        indent, fragment, marks, label, words = match.groups()
        attributes = "".join(_MARKS[mark[0]].format(mark[1:]) for mark in marks.split())
        part = _Part(fragment, attributes, label if label is not None else _label(fragment), words)
        within = depths[len(indent) // 2]
        within.holder(fragment).parts.append(part)
        if not fragment.startswith("art"):
            depths[len(indent) // 2 + 1 :] = [part]
    body = "".join(part.xml() for part in depths[0].parts)
    return (
        f'{_HEAD}<Identificacao URN="{name}"/><CicloDeVida>{events}</CicloDeVida></Metadado>'
        f"<Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
    )

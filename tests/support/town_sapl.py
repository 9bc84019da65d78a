"""The fictional town as the answers of the API of its chamber's SAPL: norms, relations, and compiled texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from tests.support.chamber import EDITED, KINDS, Rows
from tests.support.town import SAPL, Edit, Norm, Town, article_of
from tests.support.town_folder import TITLES, FolderWriter, label

_LINKS = {1: ("Altera o(a)", False), 2: ("Revoga integralmente o(a)", True)}
_NUMBERS = {"art": 119, "cpt": 120, "par": 121, "inc": 122}


class SaplWriter:
    """Makes the rows of a town. Each norm is in the list; the text of some is compiled, with all its wordings."""

    def __init__(self, town: Town, seed: int) -> None:
        self.town, self.clerk = town, FolderWriter(town, seed)
        self.types = {kind: number for number, kind in enumerate(TITLES, 1)}
        self.rows: Rows = {name: [] for name in ("normajuridica", "normarelacionada", "textoarticulado", "publicacao",
                                                 "dispositivo", "nota", "vide", "anexonormajuridica")}  # fmt: skip
        self.rows["tiponormajuridica"] = [
            {"id": number, "descricao": TITLES[kind], "equivalente_lexml": kind if number % 2 else "", "sigla": "X"}
            for kind, number in self.types.items()
        ]
        self.rows["tipovinculonormajuridica"] = [
            {"id": n, "descricao_ativa": said, "descricao_passiva": "", "sigla": "X", "revoga_integralmente": whole}
            for n, (said, whole) in _LINKS.items()
        ]
        self.rows["tipodispositivo"] = [{"id": n, "nome": name, "class_css": ""} for n, name in KINDS.items()]
        #: The alteration block and the clause of commencement of an act, and the row of each wording, by its provision.
        self.blocks: dict[tuple[int, int], int] = {}
        self.clauses: dict[int, int] = {}
        self.last: dict[tuple[int, str], dict[str, Any]] = {}
        self.number = 0

    def write(self) -> Rows:
        """Return the rows of all lists."""
        for norm in self.town.norms.values():
            self.norm(norm)
            if SAPL in norm.worded:
                self.text(norm)
        for act in self.town.norms.values():
            if SAPL in act.worded:
                for edit in act.edits:
                    self.change(act, edit)
        return self.rows

    def norm(self, norm: Norm) -> None:
        """Add a norm with its relations."""
        stated = SAPL in norm.stated
        self.rows["normajuridica"].append({
            "id": norm.id,
            "__str__": f"{TITLES[norm.kind]} nº {norm.number}",
            "tipo": self.types[norm.kind],
            "numero": f"{norm.number:,}".replace(",", ".") if norm.id % 3 else str(norm.number),
            "ano": norm.signed.year,
            "esfera_federacao": "M",
            "data": str(norm.signed),
            "data_publicacao": str(norm.published) if stated else None,
            "veiculo_publicacao": "Diário Fictício" if stated else "",
            "pagina_inicio_publicacao": None,
            "texto_integral": f"https://sapl.vila.example/media/sapl/public/normajuridica/{norm.id}.pdf",
            "ementa": f"Norma fictícia {norm.id}.",
            "data_vigencia": norm.last and str(norm.last),
            "indexacao": "", "observacao": "", "assuntos": [], "ultima_edicao": EDITED,
        })  # fmt: skip
        for target in dict.fromkeys(edit.target for edit in norm.edits):
            self.relation(norm.id, target, 1)
        for target in norm.repeals:
            self.relation(norm.id, target, 2)

    def relation(self, act: int, target: int, kind: int) -> None:
        number = len(self.rows["normarelacionada"]) + 1
        row = {"id": number, "norma_principal": act, "norma_relacionada": target, "tipo_vinculo": kind, "resumo": ""}
        self.rows["normarelacionada"].append(row)

    def text(self, norm: Norm) -> None:
        """Add the compiled text of a norm, first as it was published."""
        designation = {"numero": str(norm.number), "ano": norm.signed.year}
        public = {"id": norm.id, "object_id": norm.id, "privacidade": 0, "modified": EDITED}
        self.rows["textoarticulado"].append({**public, **designation})
        root = self.provision(norm, 1, None)
        for fragment, words in self.own_words(norm):
            self.worded(norm, root["id"], fragment, words)
        last = len({article_of(each) for each, _ in self.own_words(norm)}) + 1
        article = self.provision(norm, 119, root["id"], rotulo=label(f"art{last}"), dispositivo0=last)
        clause = self.provision(norm, 120, article["id"], f"{self.clerk.clause(norm)}.")
        if norm.id % 4:  # the compiler says which provision fixes the force
            for row in self.rows["dispositivo"]:
                if row["ta"] == norm.id and SAPL in norm.stated:
                    row["dispositivo_vigencia"] = clause["id"]
            self.clauses[norm.id] = clause["id"]

    def own_words(self, norm: Norm) -> Iterator[tuple[str, str]]:
        yield from norm.words.items()
        for edit in norm.edits:
            yield f"art{edit.order}_cpt", "Fica alterada a norma fictícia, nos termos seguintes:"
        if norm.repeals:
            yield "art1_cpt", "Ficam revogadas as normas fictícias que a relação informa."

    def provision(self, norm: Norm, kind: int, within: int | None, words: str = "", **more: Any) -> dict[str, Any]:
        """Add a provision; its days are those of the norm, which the program fills in."""
        self.number += 1
        start = str(norm.start if SAPL in norm.stated else norm.signed)
        row = {
            "id": self.number, "tipo_dispositivo": kind, "dispositivo_pai": within, "ta": norm.id,
            "ordem": self.number * 10, "ordem_bloco_atualizador": 0, "rotulo": "", "texto": words,
            "inicio_vigencia": start, "fim_vigencia": None, "inicio_eficacia": start, "fim_eficacia": None,
            "inconstitucionalidade": False, "visibilidade": True, "dispositivo_de_revogacao": False,
            "dispositivo_vigencia": None, "publicacao": None, "ta_publicado": None, "dispositivo_substituido": None,
            "dispositivo_atualizador": None, **{f"dispositivo{level}": 0 for level in range(6)}, **more,
        }  # fmt: skip
        self.rows["dispositivo"].append(row)
        return row

    def worded(self, norm: Norm, root: int, fragment: str, words: str) -> dict[str, Any]:
        """Add a provision with its words, below its article or caput."""
        article = article_of(fragment)
        if (norm.id, article) not in self.last:
            numbers = [int(each) for each in re.findall(r"\d+", article)]
            row = self.provision(norm, 119, root, rotulo=label(article))
            row.update({f"dispositivo{level}": number for level, number in enumerate(numbers)})
            self.last[norm.id, article] = row
        within = self.last[norm.id, article]["id"]
        step = fragment.rpartition("_")[2]
        row = self.provision(norm, _NUMBERS[step[:3]], within, words)
        if step != "cpt":
            row.update(rotulo=label(step), dispositivo0=int(re.sub(r"\D", "", step)))
        self.last[norm.id, fragment] = row
        return row

    # Changes

    def change(self, act: Norm, edit: Edit) -> None:
        """Add the wordings that an act gives to a provision of a compiled text, or its end."""
        target = self.town.norms[edit.target]
        if SAPL not in target.worded:
            return
        if edit.kind == "insertion":
            root = next(row["id"] for row in self.rows["dispositivo"] if row["ta"] == target.id)
            before = set(self.last)
            self.worded(target, root, edit.fragment, edit.words or "")
            for key in set(self.last) - before:
                self.last[key].update(self.made_by(act, edit))
            return
        ends = edit.words is None
        some = [key for key in self.last if key[0] == target.id and self.concerns(edit, key[1])]
        for key in some:
            old = self.last[key]
            end = date.fromisoformat(self.made_by(act, edit)["inicio_vigencia"]) - timedelta(days=1)
            old.update(fim_vigencia=str(end), fim_eficacia=str(end))
            new = {**old, **self.made_by(act, edit), "fim_vigencia": None, "fim_eficacia": None}
            self.number += 1
            new.update(id=self.number, dispositivo_substituido=old["id"], dispositivo_de_revogacao=ends)
            new["texto"] = "(Revogado)" if ends else edit.words
            self.rows["dispositivo"].append(new)
            self.last[key] = new

    def concerns(self, edit: Edit, fragment: str) -> bool:
        """Return whether a change has a row for a provision: an end has one for each provision that ends."""
        whole = edit.words is None and "_" not in edit.fragment
        return fragment == edit.fragment or (whole and article_of(fragment) == edit.fragment)

    def made_by(self, act: Norm, edit: Edit) -> dict[str, Any]:
        """Return the fields of a wording that an act made."""
        if (act.id, edit.order) not in self.blocks:
            holder = self.last[act.id, f"art{edit.order}"]["id"]
            self.blocks[act.id, edit.order] = self.provision(act, 3, holder)["id"]
        start = str(act.start if SAPL in act.stated else act.signed)
        return {
            "inicio_vigencia": start, "inicio_eficacia": start, "ta_publicado": act.id,
            "dispositivo_atualizador": self.blocks[act.id, edit.order],
            "dispositivo_vigencia": self.clauses.get(act.id) if SAPL in act.stated else None,
        }  # fmt: skip

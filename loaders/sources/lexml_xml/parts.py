"""Which elements of LexML XML are provisions, other parts of a text, or hold such (LexML part 3, annexes 1 to 3)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Groupings of articles (section 5.3; ``Subtitulo`` since version 1.7 of the schema): their ``TextoSimples`` is a
#: heading.
GROUPINGS = frozenset(
    {"Parte", "Livro", "Titulo", "Subtitulo", "Capitulo", "Secao", "Subsecao", "AgrupamentoHierarquico"}
)
#: What quotes provisions of another norm.
ALTERATION = "Alteracao"
#: What has an identifier of its own (sections 5.3 to 5.5).
PROVISIONS = GROUPINGS | {
    "Artigo",
    "Caput",
    "Paragrafo",
    "Inciso",
    "Alinea",
    "Item",
    "DispositivoGenerico",
    "Pena",
    "Omissis",
    ALTERATION,
}
#: Parts of a text with the identifier that they have where they say none (section 5.5; ours behind the fourth).
PARTS: Mapping[str, str] = MappingProxyType(
    {
        "Epigrafe": "epigrafe",
        "Ementa": "ementa",
        "Preambulo": "preambulo",
        "LocalDataFecho": "localdatafecho",
        "Assinatura": "assinatura",
        "Observacao": "observacao",
        "DataJulgamento": "datajulgamento",
        "OrgaoJulgador": "orgaojulgador",
        "Relator": "relator",
        "PartesProcesso": "partes",
        "EmentaAcordao": "ementa",
        "AcordaoTexto": "acordao",
        "RelatorioTexto": "relatorio",
        "VotoTexto": "voto",
        "DebateTexto": "debate",
        "ExtratoAtaTexto": "extratoata",
        "DocumentoGenerico": "principal",
        "Justificacao": "justificacao",
        "AutorProjeto": "autor",
        "NomeGrupo": "grupo",
    }
)
#: What only holds provisions and parts.
HOLDERS = frozenset(
    {
        "Norma",
        "ProjetoNorma",
        "Jurisprudencia",
        "DocumentoArticulado",
        "Anexo",
        "Anexos",
        "ParteInicial",
        "Articulacao",
        "ParteFinal",
        "Sumula",
        "Acordao",
        "CabecalhoAcordao",
        "AssinaturaGrupo",
        "Assinaturas",
        "AspasEstrutura",
    }
)
#: What holds the words of a provision or part.
TEXTS = frozenset(
    {"p", "Texto", "TextoSimples", "div", "ul", "ol", "table", "Bloco", "ConteudoExterno", "AspasTexto", "Agrupamento"}
    | {"PartePrincipal"}
)
#: The heading of a provision.
TITLES = frozenset({"NomeAgrupador", "TituloDispositivo", "TituloArtigo"})
#: What says how a quotation is printed, and no word of it; and words that are struck out.
LEFT_OUT = frozenset({"AbreAspas", "FechaAspas", "NotaAlteracao", "NotaReferenciada", "del"})
#: What stands beside the words of a provision.
BESIDE = TITLES | LEFT_OUT | {"Rotulo", "ReferenciaAnexo"}

"""The meaning of each reason code of a problem, in English and Portuguese, for the pages below ``/problems``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: The meanings in English by code, in alphabetical order: what happened, and what to do.
MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "address-too-long": "The path is longer than any name can be.",
        "answer-too-large": "The answer is larger than this service sends. Request less, with LIMIT or a filter.",
        "bad-accept-datetime": "Accept-Datetime is repeated, or is not a date as in RFC 7089, section 2.1.1.",
        "bad-date": "A day is not a valid civil date YYYY-MM-DD.",
        "bad-host": "The Host field is missing, repeated or malformed, or does not name this service.",
        "bad-json": "The body is not JSON (RFC 8259), repeats a key, or nests too deeply.",
        "bad-name": "The text is not a valid name urn:lex:...; the document has the position and the section of the "
        "rule.",
        "bad-parameter": "The value of a parameter is invalid, or contradicts another parameter.",
        "bad-query": "The query is not SPARQL 1.1, changes data, or accesses another host.",
        "bad-request": "The request is malformed.",
        "before-first-version": "No version was in force yet on that day; the document lists the later versions.",
        "body-too-large": "The body of the request is larger than this service accepts. Send less in one request.",
        "busy": "The queue of tasks is full, or the service is stopping. Retry after Retry-After seconds.",
        "client-gone": "The client disconnected before the answer was ready. Only logs and metrics have this code.",
        "client-stalled": "The client stopped reading the answer. Only logs and metrics have this code.",
        "encoded-twice": "The name in the path is percent-encoded more than once. Encode it at most once.",
        "forbidden": "Only operators of the service may read this address.",
        "fragment-absent-in-version": "The norm is known, but the text of that version does not have the provision.",
        "internal-error": "The service failed. X-Request-Id has the id of the request in the log of the service.",
        "method-not-allowed": "The address does not allow the method; Allow lists the methods that it allows.",
        "missing-parameter": "A required parameter is missing.",
        "name-in-query": "The name is in the query string. Put it into the path of the address.",
        "no-mementos": "No source dates a version of the norm or provision, so that it has no mementos.",
        "not-acceptable": "The service has none of the formats that the client accepts.",
        "not-in-force": "On that day the norm was revoked, annulled, expired, converted, vetoed or suspended; the "
        "document says which.",
        "not-ready": "The service cannot answer now; the document says which part fails.",
        "other-version": "The address has a version and a day on which another version was in force.",
        "out-of-memory": "The task needs more memory than the limit. Request less.",
        "outside-knowledge-horizon": "The day of knowledge is in the future, or before the norm or version became "
        "known.",
        "precondition-failed": "The answer has none of the entity tags of If-Match.",
        "provision-unknown": "The norm is known, but no source describes that provision.",
        "query-too-long": "The text of the query is longer than the limit.",
        "read-only": "The request would change the data. This service is read-only.",
        "repeated-parameter": "A parameter is repeated, or given under two of its names.",
        "slow-body": "The body of the request did not arrive in time.",
        "store-unavailable": "The store cannot be read now. Retry later.",
        "target-too-long": "The request target is too long. Send a long query in the body of a POST.",
        "task-died": "The worker process ended while it ran the task; a very expensive query can cause this.",
        "time-limit": "The task took longer than the time limit.",
        "too-many-questions": "The request has more questions than the limit. Split it into several requests.",
        "too-many-requests": "The client has more simultaneous requests than the limit. Retry later.",
        "undecided": "The sources contradict each other or omit a day, and allow no answer; the document says why.",
        "unknown-address": "There is no such address, and the path is not a name. Below /api, the document lists the "
        "endpoints.",
        "unknown-name": "No source in this store describes the name, or the text does not identify a single name.",
        "unknown-parameter": "The address has no such parameter; the document lists its parameters and those with "
        "similar names.",
        "unknown-version": "The norm is known, but not a version with that day, event or view; the document lists the "
        "nearest ones.",
        "unsupported-encoding": "The body is compressed. Send it uncompressed, without Content-Encoding.",
        "unsupported-media-type": "The media type of the body is not supported; the document lists the supported "
        "types.",
        "withdrawn": "The providers withdrew every record about the name, or no longer list it.",
    }
)
#: The same meanings in Portuguese.
MEANINGS_PT: Mapping[str, str] = MappingProxyType(
    {
        "address-too-long": "O caminho é mais longo do que qualquer nome pode ser.",
        "answer-too-large": "A resposta é maior do que o limite deste serviço. Restrinja a requisição com LIMIT ou um "
        "filtro.",
        "bad-accept-datetime": "Accept-Datetime está repetido, ou não é uma data como na RFC 7089, seção 2.1.1.",
        "bad-date": "Informe uma data válida (dd/mm/aaaa).",
        "bad-host": "O campo Host falta, está repetido, está malformado ou não é um nome deste serviço.",
        "bad-json": "O corpo não é JSON (RFC 8259), repete uma chave ou tem níveis demais.",
        "bad-name": "O texto não é um nome urn:lex:... válido; a resposta indica a posição do erro e a seção da regra.",
        "bad-parameter": "O valor de um parâmetro é inválido, ou contradiz outro parâmetro.",
        "bad-query": "A consulta não é SPARQL 1.1, altera dados ou acessa outro servidor.",
        "bad-request": "A requisição está malformada.",
        "before-first-version": "Nenhum texto estava em vigor nesse dia; a resposta lista os posteriores.",
        "body-too-large": "O corpo da requisição é maior do que este serviço aceita. Divida-a em várias requisições.",
        "busy": "A fila está cheia, ou o serviço está sendo encerrado. Tente de novo após os segundos de Retry-After.",
        "client-gone": "O cliente desconectou antes da resposta. Este código aparece somente nos logs e nas métricas.",
        "client-stalled": "O cliente deixou de ler a resposta. Este código aparece somente nos logs e nas métricas.",
        "encoded-twice": "O nome no caminho foi codificado com % mais de uma vez. Codifique-o no máximo uma vez.",
        "forbidden": "Somente os operadores do serviço podem ler este endereço.",
        "fragment-absent-in-version": "A norma é conhecida, mas o texto dessa versão não contém o dispositivo.",
        "internal-error": "O serviço falhou. X-Request-Id identifica a requisição no log do serviço.",
        "method-not-allowed": "O endereço não aceita o método; Allow lista os métodos aceitos.",
        "missing-parameter": "Falta um parâmetro obrigatório.",
        "name-in-query": "O nome está nos parâmetros do endereço. Coloque-o no caminho.",
        "no-mementos": "Nenhuma fonte informa a data de uma versão da norma ou do dispositivo; não há mementos.",
        "not-acceptable": "O serviço não oferece nenhum dos formatos que o cliente aceita.",
        "not-in-force": "Nesse dia, a norma estava revogada, anulada, convertida, vetada, suspensa ou com a vigência "
        "encerrada; a resposta informa qual dessas situações.",
        "not-ready": "O serviço não pode responder agora; a resposta informa a causa.",
        "other-version": "O endereço contém uma versão e um dia em que outra versão estava em vigor.",
        "out-of-memory": "A requisição precisa de mais memória do que o limite. Restrinja a requisição.",
        "outside-knowledge-horizon": "A data de conhecimento está no futuro, ou é anterior à publicação da norma ou da "
        "versão.",
        "precondition-failed": "A resposta não tem nenhuma das entity tags de If-Match.",
        "provision-unknown": "A norma é conhecida, mas nenhuma fonte descreve esse dispositivo.",
        "query-too-long": "O texto da consulta é mais longo do que o limite.",
        "read-only": "A requisição alteraria os dados. Este serviço é somente de leitura.",
        "repeated-parameter": "Um parâmetro está repetido, ou foi informado com dois dos seus nomes.",
        "slow-body": "O corpo da requisição não chegou a tempo.",
        "store-unavailable": "O acervo não pode ser lido agora. Tente de novo mais tarde.",
        "target-too-long": "O endereço solicitado é longo demais. Envie uma consulta longa no corpo de um POST.",
        "task-died": "O processo terminou ao executar a requisição; uma consulta muito custosa pode causar isso.",
        "time-limit": "A requisição levou mais tempo do que o limite.",
        "too-many-questions": "A requisição tem mais perguntas do que o limite. Divida-a em várias requisições.",
        "too-many-requests": "O cliente tem mais requisições simultâneas do que o limite. Tente de novo mais tarde.",
        "undecided": "As fontes divergem ou omitem uma data, e não permitem resposta; a resposta informa o motivo.",
        "unknown-address": "Este endereço não existe e não contém um nome de norma (urn:lex:…). Em /api, a resposta "
        "lista os endereços.",
        "unknown-name": "Nenhuma fonte deste acervo descreve o nome, ou o texto não identifica um único nome.",
        "unknown-parameter": "O endereço não tem esse parâmetro; a resposta lista os parâmetros aceitos e os "
        "parecidos.",
        "unknown-version": "A norma é conhecida, mas não uma versão com esse dia, evento ou visão; a resposta lista "
        "as mais próximas.",
        "unsupported-encoding": "O corpo está comprimido. Envie-o sem compressão, sem Content-Encoding.",
        "unsupported-media-type": "O tipo de mídia do corpo não é aceito; a resposta lista os tipos aceitos.",
        "withdrawn": "Os provedores retiraram todos os registros sobre o nome, ou não os listam mais.",
    }
)

// The page for SPARQL: the form becomes an editor, and the answer a table. Values are only ever written as text.
"use strict";

(() => {
  const LONGEST_WAIT = 180_000; // milliseconds
  const MOST_ROWS = 1000;
  const LONGEST_ADDRESS = 8000;
  const MOST_CHARACTERS = 200000;
  const { prefixes, words } = JSON.parse(document.getElementById("told-here").textContent);
  const at = (id) => document.getElementById(id);
  const area = at("query");

  const editor = () => {
    // arrays of settings are mixed with the defaults by place: so the defaults themselves are set
    Yasqe.defaults.autocompleters = [];
    Yasqe.registerAutocompleter({
      name: "ours",
      bulk: true,
      autoShow: false,
      persistenceId: null,
      get: () => Object.entries(prefixes).map(([prefix, iri]) => `${prefix}: <${iri}>`),
      isValidCompletionPosition: (yasqe) => /^\s*PREFIX\s+\S*$/i.test(before(yasqe)),
      preProcessToken: (yasqe, token) => {
        token.autocompletionString = /\S*$/.exec(before(yasqe))[0];
        return token;
      },
    });
    const made = new Yasqe(area.parentElement, {
      value: area.value,
      persistenceId: null,
      showQueryButton: false,
      resizeable: false,
      createShareableLink: null,
      consumeShareLink: null,
      editorHeight: "auto",
      extraKeys: { Tab: false, "Shift-Tab": false, "Ctrl-Enter": ask, "Cmd-Enter": ask, "Ctrl-S": false },
    });
    area.hidden = true;
    area.required = false;
    made.getInputField().setAttribute("aria-label", words.query);
    made.on("change", () => changed(made.getValue()));
    document.querySelector("label[for=query]").addEventListener("click", () => made.focus());
    return made;
  };
  const before = (yasqe) => {
    const cursor = yasqe.getDoc().getCursor();
    return yasqe.getDoc().getLine(cursor.line).slice(0, cursor.ch);
  };

  const changed = (text) => {
    area.value = text;
    const address = at("address");
    const target = `${address.pathname}?query=${encodeURIComponent(text)}`;
    address.hidden = target.length > LONGEST_ADDRESS;
    address.setAttribute("href", target);
  };

  let asked = 0;
  const ask = async () => {
    const mine = ++asked;
    at("answer").hidden = false;
    at("result").replaceChildren();
    tell(words.running);
    try {
      const answer = await fetch("/sparql", {
        method: "POST",
        headers: {
          "Content-Type": "application/sparql-query",
          Accept: "application/sparql-results+json, text/turtle;q=0.9, application/problem+json;q=0.5",
        },
        body: area.value,
        signal: AbortSignal.timeout(LONGEST_WAIT),
      });
      const media = (answer.headers.get("Content-Type") || "").split(";")[0];
      const body = await answer.text();
      if (mine === asked) show(answer.ok, media, body);
    } catch {
      if (mine === asked) tell(words.lost, true);
    }
  };

  const tell = (text, wrong = false) => {
    at("told").textContent = text;
    at("told").classList.toggle("wrong", wrong);
  };

  const show = (good, media, body) => {
    if (!good) {
      tell(media.endsWith("json") ? JSON.parse(body).detail : words.lost, true);
    } else if (media === "application/sparql-results+json") {
      const { head, results, boolean } = JSON.parse(body);
      if (boolean === undefined) table(head.vars, results.bindings);
      else tell(boolean ? words.boolean_yes : words.boolean_no);
    } else {
      tell(words.statements);
      const shown = document.createElement("pre");
      shown.textContent = body.slice(0, MOST_CHARACTERS);
      at("result").append(shown);
    }
  };

  const table = (names, rows) => {
    const count = rows.length === 1 ? words.rows_one : words.rows_many.replace("{n}", rows.length);
    const cut = rows.length > MOST_ROWS ? ` ${words.cut.replace("{shown}", MOST_ROWS)}` : "";
    tell(rows.length === 0 ? words.empty : count + cut);
    if (rows.length === 0) return;
    const made = document.createElement("table");
    const head = made.createTHead().insertRow();
    for (const name of names) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = name;
      head.append(cell);
    }
    const lines = made.createTBody();
    for (const row of rows.slice(0, MOST_ROWS)) {
      const line = lines.insertRow();
      for (const name of names) line.insertCell().append(...(row[name] ? term(row[name]) : []));
    }
    at("result").append(made);
  };

  // Letters that print nothing or turn the direction of writing are shown by their numbers.
  const visible = (text) =>
    text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => (c === "\n" ? c : `\\u{${c.codePointAt(0).toString(16)}}`));

  const term = ({ type, value, "xml:lang": language, datatype }) => {
    const known = Object.entries(prefixes).find(([, iri]) => type === "uri" && value.startsWith(iri));
    const text = visible(known ? `${known[0]}:${value.slice(known[1].length)}` : value);
    if (type === "uri") {
      const address = /^urn:lex:/.test(value) ? `/${encodeURIComponent(value)}` : /^https?:/.test(value) ? value : null;
      if (address === null) return [text];
      const link = document.createElement("a");
      link.href = address;
      link.rel = "nofollow noopener noreferrer";
      link.textContent = text;
      return [link];
    }
    const of = language ? `@${language}` : datatype ? datatype.replace(/^.*[#/]/, "") : "";
    if (!of || of === "string") return [text];
    const small = document.createElement("span");
    small.className = "soft small";
    small.textContent = ` ${visible(of)}`;
    return [text, small];
  };

  const yasqe = editor();
  changed(area.value);
  at("run").hidden = false;
  at("run").addEventListener("click", ask);
  at("insert").hidden = false;
  at("insert").addEventListener("click", () => {
    yasqe.addPrefixes(prefixes);
    yasqe.focus();
  });
})();

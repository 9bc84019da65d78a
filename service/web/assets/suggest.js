// The boxes of the search: norms that begin with what is written, as a list to choose from (ARIA: combobox with listbox).
// Without this script nothing is lost: the boxes are plain fields. Values are only ever written as text.
"use strict";

(() => {
  const ADDRESS = "/api/v1/suggest?text=";
  const FEWEST = 2;
  const LONGEST = 100;
  const WAIT = 120;
  const MOST_KEPT = 100;
  const kept = new Map();
  let lists = 0;

  const asked = async (text, signal) => {
    const known = kept.get(text);
    if (known) return known;
    const answer = await fetch(ADDRESS + encodeURIComponent(text), { headers: { Accept: "application/json" }, signal });
    if (!answer.ok) return [];
    const { suggestions } = await answer.json();
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
    kept.set(text, suggestions);
    return suggestions;
  };

  // What prints nothing, or turns the direction of writing, is not shown.
  const printed = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");

  const made = (name, className, text = "") => {
    const one = document.createElement(name);
    one.className = className;
    one.textContent = printed(text);
    return one;
  };

  const combobox = (box) => {
    const list = made("ul", "suggested");
    const heard = made("span", "unseen");
    list.id = `suggested-${++lists}`;
    list.hidden = true;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", box.dataset.suggestions);
    heard.setAttribute("role", "status");
    box.removeAttribute("list");
    box.type = "text"; // a field of type search may not be a combobox
    box.autocomplete = "off";
    for (const [key, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id]])
      box.setAttribute(key, value);
    box.parentElement.classList.add("suggesting");
    box.after(list, heard);

    let found = [];
    let chosen = -1;
    let timer = 0;
    let running = null;

    const close = () => {
      clearTimeout(timer);
      if (running) running.abort();
      list.hidden = true;
      chosen = -1;
      box.setAttribute("aria-expanded", "false");
      box.removeAttribute("aria-activedescendant");
    };

    const choose = (number) => {
      chosen = number;
      [...list.children].forEach((one, at) => one.setAttribute("aria-selected", String(at === number)));
      if (number < 0) {
        box.removeAttribute("aria-activedescendant");
      } else {
        box.setAttribute("aria-activedescendant", list.children[number].id);
        list.children[number].scrollIntoView({ block: "nearest" });
      }
    };

    const take = (number) => {
      box.value = printed(found[number].text);
      heard.textContent = "";
      close();
      box.focus();
    };

    const show = (suggestions) => {
      found = suggestions;
      list.replaceChildren(
        ...found.map(({ text, label }, at) => {
          const one = made("li", "");
          one.id = `${list.id}-${at}`;
          one.lang = "pt-BR";
          one.setAttribute("role", "option");
          one.append(made("span", "text", text));
          if (label !== text) one.append(" ", made("span", "soft small", label));
          one.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
          one.addEventListener("click", () => take(at));
          return one;
        }),
      );
      if (found.length === 0) close();
      list.hidden = found.length === 0;
      box.setAttribute("aria-expanded", String(found.length > 0));
      choose(-1);
      const said = found.length === 1 ? box.dataset.suggestedOne : box.dataset.suggestedMany.replace("{n}", found.length);
      heard.textContent = found.length === 0 ? "" : said;
    };

    const ask = async () => {
      if (running) running.abort();
      const mine = (running = new AbortController());
      try {
        const suggestions = await asked(box.value.trim(), mine.signal);
        if (!mine.signal.aborted && document.activeElement === box) show(suggestions);
      } catch {
        if (!mine.signal.aborted) close(); // the service is out of reach: the box is a plain one
      }
    };

    const wait = () => {
      clearTimeout(timer);
      const { length } = box.value.trim();
      if (length < FEWEST || length > LONGEST) close();
      else timer = setTimeout(ask, WAIT);
    };

    box.addEventListener("input", wait);
    box.addEventListener("blur", close);
    box.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey) return;
      const open = !list.hidden;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && open) {
        const count = found.length + 1; // none of them is one more place: back to what was written
        choose(((chosen + 1 + step + count) % count) - 1);
        event.preventDefault();
      } else if (event.key === "ArrowDown") {
        wait();
        event.preventDefault();
      } else if (event.key === "Enter" && open && chosen >= 0) {
        take(chosen);
        event.preventDefault();
      } else if (event.key === "Escape" && open) {
        close();
        event.preventDefault();
      }
    });
  };

  document.querySelectorAll("input[data-suggestions]").forEach(combobox);
})();

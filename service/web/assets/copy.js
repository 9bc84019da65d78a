// A button that copies what stands in an element. Without this script the text can be selected.
"use strict";

(() => {
  for (const source of document.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    const told = document.createElement("span");
    button.type = "button";
    button.textContent = source.dataset.copy;
    told.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.textContent);
        told.textContent = source.dataset.copied;
      } catch {
        getSelection().selectAllChildren(source);
        told.textContent = source.dataset.selected;
      }
    });
    source.after(button, " ", told);
  }
})();

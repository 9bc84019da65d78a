// A button that shares the permanent link beside it, where the browser offers that. Without this script the link stays.
"use strict";

if (navigator.share) {
  for (const link of document.querySelectorAll("[data-share]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = link.dataset.share;
    button.addEventListener("click", () => navigator.share({ title: link.dataset.title, url: link.href }).catch(() => {}));
    link.after(" ", button);
  }
}

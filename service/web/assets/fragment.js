// Slow parts of a page come after its text: a link to one is replaced by it when it comes into view.
// Without this script nothing is lost: the link leads to the part.
"use strict";

const fill = (within) => {
  for (const link of within.querySelectorAll("a[data-fragment]")) {
    const watch = new IntersectionObserver(async (seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watch.disconnect();
      const answer = await fetch(link.href, { headers: { Accept: "text/html" } }).catch(() => null);
      const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
      const part = page && page.querySelector("#fragment");
      if (!part) return;
      part.removeAttribute("id");
      for (const one of part.querySelectorAll("[id]")) {
        if (document.getElementById(one.id)) one.removeAttribute("id");
      }
      link.replaceWith(part);
      fill(part);
    }, { rootMargin: "200px" });
    watch.observe(link);
  }
};

fill(document);

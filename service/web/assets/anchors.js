// Opens the whole text for a provision that is not in this part: a server does not see what follows "#" in an address.
"use strict";

(() => {
  const whole = document.querySelector("a[data-whole]");
  const open = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (/^(?:art|tit|cap|sec|liv|prt|anx)/.test(id) && !document.getElementById(id)) {
      location.replace(whole.href + location.hash);
    }
  };
  if (whole) {
    open();
    addEventListener("hashchange", open);
  }
})();

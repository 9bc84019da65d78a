// A calendar beside the fields for days. Days are written dd/mm/aaaa in every browser; the calendar is the browser's own.
// Without this script nothing is lost: the fields are plain ones.
"use strict";

(() => {
  const ISO = /^\d{4}-\d{2}-\d{2}$/;
  const WRITTEN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

  const read = (text) => {
    if (ISO.test(text)) return text;
    const found = WRITTEN.exec(text.trim());
    return found ? `${found[3]}-${found[2].padStart(2, "0")}-${found[1].padStart(2, "0")}` : "";
  };

  const written = (iso) => iso.split("-").reverse().join("/");

  const icon = () => {
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    picture.setAttribute("viewBox", "0 0 16 16");
    path.setAttribute("fill-rule", "evenodd");
    path.setAttribute("d", "M4 0h2v2h4V0h2v2h3v14H1V2h3zM3 7v7h10V7z");
    picture.append(path);
    return picture;
  };

  for (const field of document.querySelectorAll("input[data-calendar]")) {
    const button = document.createElement("button");
    const picker = document.createElement("input");
    button.type = "button";
    button.className = "calendar";
    button.setAttribute("aria-label", field.dataset.calendar);
    button.append(icon());
    picker.type = "date";
    picker.tabIndex = -1;
    picker.setAttribute("aria-hidden", "true");
    if (field.dataset.max) picker.max = field.dataset.max;
    button.addEventListener("click", () => {
      picker.value = read(field.value);
      picker.showPicker();
    });
    picker.addEventListener("change", () => {
      if (picker.value) field.value = written(picker.value);
      field.focus();
    });
    field.parentElement.append(button, picker);
  }
})();

"use strict";

// Each widget shows what was asked for last in it, whatever the others do.
function show(widget, button) {
  widget.wanted = button;
  if (button.className) {
    return;
  }
  fetch("text?tab=" + encodeURIComponent(button.textContent))
    .then((response) => response.json())
    .then((found) => {
      if (widget.wanted !== button) {
        return;
      }
      widget.querySelector(".chosen").removeAttribute("class");
      button.className = "chosen";
      widget.querySelector("p").textContent = found.text;
    });
}

for (const widget of document.querySelectorAll("main > div")) {
  for (const button of widget.querySelectorAll("button")) {
    button.addEventListener("click", () => show(widget, button));
  }
}

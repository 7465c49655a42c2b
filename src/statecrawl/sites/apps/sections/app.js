"use strict";

const shown = document.getElementById("shown");
let turn = 0;

// What was clicked last is shown.
function ask(url) {
  const mine = ++turn;
  fetch(url)
    .then((response) => response.text())
    .then((html) => {
      if (mine === turn) {
        shown.innerHTML = html;
      }
    });
}

shown.addEventListener("click", (click) => {
  const link = click.target.closest("a");
  if (!link) {
    return;
  }
  click.preventDefault();
  const [kind, what] = link.title.split(":");
  if (kind === "link") {
    ask("item?number=" + what);
  } else if (kind === "section") {
    ask("section?name=" + what);
  } else {
    ask("start");
  }
});

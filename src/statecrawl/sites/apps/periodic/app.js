"use strict";

const compounds = JSON.parse(document.querySelector("main").dataset.compounds);
const detail = document.getElementById("detail");
const panel = document.getElementById("panel");
let shown = "";
let opened = "";
let request = new XMLHttpRequest();

function ask(url, show) {
  request.abort();
  request = new XMLHttpRequest();
  request.open("GET", url);
  request.onload = () => show(JSON.parse(request.responseText));
  request.send();
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function clickElement(symbol) {
  const wanted = compounds[shown + " " + symbol] || symbol;
  if (wanted === shown) {
    request.abort();
    closePanel();
    return;
  }
  ask("detail?of=" + encodeURIComponent(wanted), (found) => {
    closePanel();
    mark(shown, false);
    shown = wanted;
    mark(shown, true);
    detail.replaceChildren(
      element("h2", found.name), element("h3", found.kind), element("p", found.text),
    );
  });
}

function mark(symbol, isChosen) {
  const cell = document.querySelector(`[title="element:${symbol}"]`);
  if (cell && isChosen) {
    cell.className = "chosen";
  } else if (cell) {
    cell.removeAttribute("class");
  }
}

function clickPanel(name) {
  if (name === opened) {
    request.abort();
    closePanel();
    return;
  }
  ask("panel?name=" + encodeURIComponent(name), (found) => {
    opened = name;
    panel.replaceChildren(element("h2", name), element("p", found.text));
  });
}

function closePanel() {
  opened = "";
  panel.replaceChildren();
}

for (const cell of document.querySelectorAll("td[title]")) {
  cell.addEventListener("click", () => clickElement(cell.textContent));
}
for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => clickPanel(button.title.split(":")[1]));
}

"use strict";

const perPage = Number(document.body.dataset.perPage);
let facets = [];
let chosen = "";
let titles = [];
let place = 0; // of the page's first publication, or of the open one
let publication = null;
let tab = "";
let turn = 0;

// Only what was asked for last is shown.
async function ask(url, show) {
  const mine = ++turn;
  const response = await fetch(url);
  const found = await response.json();
  if (mine === turn) {
    show(found);
    draw();
  }
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function control(tag, event, text) {
  return `<${tag} title="${escaped(event)}">${escaped(text)}</${tag}>`;
}

function draw() {
  const parts = { facets: drawFacets(), list: "", detail: "", tab: "" };
  if (publication) {
    parts.detail = drawDetail();
    parts.tab = tab === "bibtex"
      ? `<pre>${escaped(publication.bibtex)}</pre>`
      : `<p>${escaped(publication.abstract)}</p>`;
  } else if (chosen) {
    parts.list = drawList();
  }
  for (const [id, html] of Object.entries(parts)) {
    document.getElementById(id).innerHTML = html;
  }
}

function drawFacets() {
  return facets
    .filter((facet) => chosen || ["all", "year", "type"].includes(facet.name))
    .map((facet) => `<h3>${facet.name}</h3>` + facet.values.map(drawValue).join(" "))
    .join("");
}

function drawValue(value) {
  const text = value.slice(value.indexOf(":") + 1);
  return value === chosen ? `<b>${escaped(text)}</b>` : control("span", value, text);
}

function drawList() {
  const last = place + perPage;
  const items = titles.slice(place, last);
  return `<h2>${escaped(chosen)}: ${titles.length} publications, from ${place + 1}</h2>`
    + (place > 0 ? control("span", "list:previous", "« previous") : "")
    + (last < titles.length ? control("span", "list:next", "next »") : "")
    + "<ol>"
    + items.map((title) => `<li>${control("em", "publication:" + title, title)}</li>`).join("")
    + "</ol>";
}

function drawDetail() {
  const controls = [control("span", "detail:close", "back to the list")];
  if (place > 0) {
    controls.push(control("span", "detail:previous", "« previous"));
  }
  if (place + 1 < titles.length) {
    controls.push(control("span", "detail:next", "next »"));
  }
  return `<p>${controls.join(" | ")}</p><h2>${escaped(publication.title)}</h2>`
    + `<p>${place + 1} of ${titles.length} in ${escaped(chosen)}: `
    + `${escaped(publication.authors.join(", "))}; ${escaped(publication.about)}</p>`
    + control("span", "tab:abstract", "Abstract") + " | " + control("span", "tab:bibtex", "BibTeX");
}

function choose(value) {
  ask("list?of=" + encodeURIComponent(value), (found) => {
    [chosen, titles, place, publication, tab] = [value, found, 0, null, ""];
  });
}

function openAt(index) {
  ask("publication?title=" + encodeURIComponent(titles[index]), (found) => {
    [place, publication, tab] = [index, found, "abstract"];
  });
}

function show(change) {
  turn++;
  change();
  draw();
}

const actions = {
  "list:previous": () => show(() => { place -= perPage; }),
  "list:next": () => show(() => { place += perPage; }),
  "detail:close": () => show(() => { [place, publication, tab] = [place - place % perPage, null, ""]; }),
  "detail:previous": () => openAt(place - 1),
  "detail:next": () => openAt(place + 1),
  "tab:abstract": () => show(() => { tab = "abstract"; }),
  "tab:bibtex": () => show(() => { tab = "bibtex"; }),
};

document.addEventListener("click", ({ target }) => {
  const event = target.title;
  if (!event) {
    return;
  }
  if (event in actions) {
    actions[event]();
  } else if (event.startsWith("publication:")) {
    openAt(titles.indexOf(event.slice("publication:".length)));
  } else {
    choose(event);
  }
});

ask("facets", (found) => { facets = found; });

"use strict";

const menu = ["home", "products", "services", "news", "about", "jobs", "contact", "imprint"];
let offer = { products: [], services: [], articles: [] };
let turn = 0;

function ask(url, show) {
  const mine = ++turn;
  fetch(url).then((response) => response.json()).then((found) => {
    if (mine === turn) {
      show(found);
    }
  });
}

// A link is what it is called and what it does.
function drawLinks(links) {
  const box = document.createElement("p");
  box.className = "links";
  for (const [event, onClick] of links) {
    const link = document.createElement("a");
    link.href = "#";
    link.title = event;
    link.textContent = event.slice(event.indexOf(":") + 1);
    link.addEventListener("click", (click) => {
      click.preventDefault();
      onClick();
    });
    box.append(link, " ");
  }
  return box;
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function fill(id, ...parts) {
  document.getElementById(id).replaceChildren(...parts);
}

// The name of the page, and its links in the innermost part.
function draw([area, page, part], text, links) {
  const areaLinks = area === "quote" ? [] : menu.map((name) => ["menu:" + name, () => show(name)]);
  fill("area", element("h1", "Pumps & Sons: " + area), drawLinks(areaLinks));
  const below = [element("p", text), drawLinks(links)];
  if (part) {
    fill("page", element("h2", page));
    fill("part", element("h3", part), ...below);
  } else {
    fill("page", ...(page ? [element("h2", page)] : []), ...below);
    fill("part");
  }
  document.getElementById("part").className = area === "quote" ? "popup" : "plain";
}

function showText(path, links) {
  ask("text?of=" + encodeURIComponent(path.join(" ")), ({ text }) => draw(path, text, links));
}

function show(area) {
  showText([area], (pages[area] || (() => []))());
}

const pages = {
  products: () => offer.products.map((name) => ["product:" + name, () => showProduct(name)]),
  services: () => offer.services.map((name) => ["service:" + name, () => showService(name)]),
  news: () => offer.articles.map((name) => ["article:" + name, () => showArticle(name)]),
  about: () => ["history", "team"].map((name) => ["about:" + name, () => showText(["about", name], [])]),
  contact: () => [
    ["contact:send", () => showText(["contact", "sent"], [])],
    ["contact:map", () => showText(["contact", "map"], [["contact:back", () => show("contact")]])],
  ],
};

function showProduct(name) {
  const { products } = offer;
  const following = products[(products.indexOf(name) + 1) % products.length];
  const more = (part) => showText(["products", name, part], [["more:back", () => showProduct(name)]]);
  showText(["products", name], [
    ["more:data", () => more("data")],
    ["more:pictures", () => more("pictures")],
    ["more:next", () => showProduct(following)],
  ]);
}

function showArticle(name) {
  const older = offer.articles[offer.articles.indexOf(name) + 1];
  showText(["news", name], older ? [["article:older", () => showArticle(older)]] : []);
}

function showService(name) {
  showText(["services", name], [["quote:ask", () => askWishes(name)]]);
}

// The popup needs nothing from the server, apart from being sent.
function step(name, part, text, links) {
  turn++;
  draw(["quote", name, part], text, links);
}

function askWishes(name) {
  step(name, "wishes", "What may we do for you?", [
    ["quote:next", () => askAddress(name)],
    ["quote:cancel", () => showService(name)],
  ]);
}

function askAddress(name) {
  step(name, "address", "Where do you live?", [
    ["quote:next", () => showText(["quote", name, "thanks"], [["quote:close", () => showService(name)]])],
    ["quote:back", () => askWishes(name)],
    ["quote:cancel", () => showService(name)],
  ]);
}

ask("offer", (found) => {
  offer = found;
  show("home");
});

"use strict";

let lists = [];
let following = null; // the clip after the one that is shown
let request = new XMLHttpRequest();

function ask(url, show) {
  request.abort();
  request = new XMLHttpRequest();
  request.open("GET", url);
  request.onload = function () {
    show(this.getResponseHeader("Content-Type").startsWith("text/html")
      ? this.responseText
      : JSON.parse(this.responseText));
  };
  request.send();
}

// Names are made of letters, digits and hyphens, so that they need no escaping.
function link(title, call, text) {
  return `<a href="#" title="${title}" onclick="${call}; return false">${text}</a>`;
}

function clipLinks(titles) {
  return titles.map((title) => link("clip:" + title, `showClip('${title}')`, title)).join(" ");
}

function show(kind, name, html) {
  fill("#heading", `<h2>${kind}</h2>`);
  fill("#content", `<h3>${name}</h3>${html}`);
}

function fill(selector, html) {
  document.querySelector(selector).innerHTML = html;
}

// All that stands around the content.
function drawFrame() {
  fill("header", `<h1>Clips</h1><p>${link("header:join", "join()", "Join")}</p>`);
  fill("#lists", ["channel", "tag", "user"].map((kind) => {
    const links = lists
      .filter((list) => list[0] === kind)
      .map(([, name]) => link(kind + ":" + name, `showList('${kind}', '${name}')`, name));
    return `<h4>${kind}s</h4>${links.join(" ")}`;
  }).join(""));
  fill("footer", ["about", "help", "terms", "privacy", "blog"]
    .map((note) => link("note:" + note, `showNote('${note}')`, note)).join(" "));
}

function clearFrame() {
  ["header", "#lists", "footer"].forEach((selector) => fill(selector, ""));
}

function showList(kind, name) {
  ask(`list?kind=${kind}&name=${name}`, (titles) => {
    drawFrame();
    show(kind, name, `<p>${clipLinks(titles)}</p>`);
  });
}

function showClip(title) {
  ask("clip?title=" + title, (clip) => {
    following = clip.next;
    show("clip", title, `<p>${clip.text}</p><p>${clip.marks.join(", ")}</p>`
      + `<p>${link("source:visit", "leave()", "Visit the source")}`
      + `${link("stream:next", "showNext()", "Next clip")}</p>`
      + `<h4>More like this</h4><p>${clipLinks(clip.alike)}</p>`);
  });
}

function showNext() {
  if (following) {
    showClip(following);
  } else {
    request.abort();
    show("note", "end of the stream", "<p>That was the last clip.</p>");
  }
}

function showNote(name) {
  ask("note?name=" + name, (text) => show("note", name, `<p>${text}</p>`));
}

function join() {
  request.abort();
  clearFrame();
  show("dialog", "join", "<p>Share what you find with everybody.</p>"
    + link("join:send", "send()", "Send me a mail")
    + link("join:cancel", "showList('channel', 'popular')", "Cancel"));
}

function send() {
  ask("join", () => show("outside", "check your mail", "<p>We have sent you a mail.</p>"));
}

function leave() {
  request.abort();
  clearFrame();
  show("outside", "source", "<p>This is another site, which knows nothing of clips.</p>");
}

ask("lists", (found) => {
  lists = found;
  showList("channel", "popular");
});

"use strict";

const part = document.getElementById("part");
const control = (title) => document.querySelector(`[title="${title}"]`);
let turn = 0;

/** Ask the server; when requests overlap, only the last answer counts. */
async function ask(url, show) {
  const mine = ++turn;
  const found = await (await fetch(url)).json();
  if (mine === turn) {
    show(found);
  }
}

function show(html) {
  turn++;
  part.innerHTML = html;
}

const pages = {
  home() {
    control("home:ask").addEventListener("click", () => {
      show(confirm("Are you of age?") ? "<p>You are welcome.</p>" : "<p>Come back later.</p>");
    });
    control("home:greet").addEventListener("click", () => {
      alert("Good day!");
      show("<p>You have been greeted.</p>");
    });
    control("home:terms").addEventListener("click", () => open("/terms"));
  },

  // Routes with history.pushState; each can be loaded, too.
  catalogue() {
    const close = `<p><a href="/catalogue" title="product:close">Close</a></p>`;
    const route = () => {
      const name = location.pathname.split("/")[2];
      if (name) {
        ask(`/api/product?name=${name}`, ({ text }) => show(`<h2>${name}</h2><p>${text}</p>${close}`));
      } else {
        show("");
      }
    };
    document.addEventListener("click", (click) => {
      const link = click.target.closest("[title^='product:']");
      if (link) {
        click.preventDefault();
        history.pushState(null, "", link.href);
        route();
      }
    });
    addEventListener("popstate", route);
    route();
  },

  // Routes behind the hash.
  guide() {
    const texts = {
      start: "<p>Choose a chapter.</p>",
      install: "<p>Put it on the table.</p>",
      use: "<p>Turn it on.</p>",
    };
    const route = () => show(texts[location.hash.slice(2)] ?? texts.start);
    addEventListener("hashchange", route);
    route();
  },

  // More comes when the end of the list is seen, until there is no more.
  feed() {
    show(`<div class="feed" title="feed:scroll" aria-label="Entries"></div>`);
    const list = control("feed:scroll");
    let number = 0;
    const isAtEnd = () => list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
    const more = () => ask(`/api/batch?number=${++number}`, ({ entries, isLast }) => {
      list.insertAdjacentHTML("beforeend", entries.map((text) => `<p>${text}</p>`).join(""));
      if (isLast) {
        list.removeAttribute("title");
      } else {
        list.addEventListener("scroll", onScroll);
      }
    });
    const onScroll = () => {
      if (isAtEnd()) {
        list.removeEventListener("scroll", onScroll);
        more();
      }
    };
    more();
  },

  live() {
    let stream = null;
    const renew = (opened) => {
      stream?.close();
      stream = opened;
      const mine = ++turn;
      return (text) => mine === turn && show(`<p>${text}</p>`);
    };
    control("live:fetch").addEventListener("click", () => {
      renew(null);
      ask("/api/text?of=live", ({ text }) => show(`<p>${text}</p>`));
    });
    control("live:socket").addEventListener("click", () => {
      const socket = new WebSocket(`ws://${location.host}/socket`);
      const say = renew(socket);
      socket.onopen = () => socket.send("you");
      socket.onmessage = ({ data }) => say(data);
    });
    control("live:events").addEventListener("click", () => {
      const events = new EventSource("/events");
      const say = renew(events);
      events.onmessage = ({ data }) => say(data);
    });
    const lazy = document.getElementById("lazy");
    const observer = new IntersectionObserver(([seen]) => {
      if (seen.isIntersecting) {
        observer.disconnect();
        lazy.innerHTML = `<button title="live:lazy">Came when it was seen</button>`;
        control("live:lazy").addEventListener("click", () => {
          renew(null);
          show("<p>Late, but there.</p>");
        });
      }
    });
    observer.observe(lazy);
  },

  parts() {
    const on = { frame: false, shadow: false };
    const flip = (name) => {
      on[name] = !on[name];
      const names = Object.keys(on).filter((each) => on[each]);
      show(names.length ? `<p>On: ${names.join(" and ")}.</p>` : "");
    };
    addEventListener("message", ({ data }) => flip(data));
    customElements.define("shop-switch", class extends HTMLElement {
      connectedCallback() {
        const root = this.attachShadow({ mode: "open" });
        root.innerHTML = `<button title="parts:shadow">Switch in the shadow</button>`;
        root.querySelector("button").addEventListener("click", () => flip("shadow"));
      }
    });
  },

  // Checks the fields itself, and says what is wrong.
  contact() {
    const form = document.querySelector("form");
    const story = document.getElementById("story");
    form.addEventListener("submit", (submit) => {
      submit.preventDefault();
      const given = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
      if (story.textContent.trim()) {
        given.set("story", "told");
      }
      given.set("password", form.elements.password.value && "given");
      ask(`/api/contact?${given}`, ({ missing }) => {
        if (missing.length) {
          show(`<p>Please give: ${missing.join(", ")}.</p>`);
        } else if (!form.checkValidity()) {
          show("<p>Please look again at what you have given.</p>");
        } else {
          form.reset();
          story.replaceChildren();
          show("<p>Thank you, we will answer.</p>");
        }
      });
    });
  },

  search() {
    const goods = [...document.querySelectorAll("#page b")].map((good) => good.textContent);
    const field = control("search:field");
    const filter = () => {
      const found = goods.filter((good) => good.includes(field.value));
      const deal = field.value === "amber" ? `<p><a href="/deal" title="search:deal">A deal</a></p>` : "";
      show(found.length
        ? `<ul>${found.map((good) => `<li>${good}</li>`).join("")}</ul>${deal}`
        : "<p>Nothing is called that.</p>");
    };
    field.addEventListener("input", filter);
    filter();
  },

  offers() {
    setTimeout(() => show("<p>The offer ends soon!</p>"), 8000);
  },
};

pages[document.body.dataset.page]?.();

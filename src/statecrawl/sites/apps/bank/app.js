"use strict";

const sections = {
  personal: ["deposits", "checking", "loans", "cards", "investments", "services"],
  business: ["deposits", "lending", "cards", "insurance", "retirement", "services"],
  inside: ["about us", "contact", "locations", "investors", "press", "careers"],
};
const footer = ["privacy", "security", "terms", "accessibility", "site map"];
const fields = {
  "sign in": "User <input value='jsmith' readonly> Password <input value='••••••••' readonly>",
  feedback: "Your message <input value='I like this bank.' readonly>",
  transfer: "Amount <input value='100.00' readonly>",
};
let accounts = [];
let turn = 0;

async function ask(url, show) {
  const mine = ++turn;
  const answer = await fetch(url);
  if (answer.status === 401) {
    location.assign("login");
    return;
  }
  const found = await answer.json();
  if (mine === turn) {
    show(found);
  }
}

const link = (title, text) => `<a href="#" title="${title}">${text}</a>`;
const button = (title, text) => `<button title="${title}">${text}</button>`;
const list = (links) => `<ul>${links.map((html) => `<li>${html}</li>`).join("")}</ul>`;

const areas = {
  public: () => `<header><h1>Altoro Mutual</h1>`
    + ["home", "sign in", "feedback", "search", "help"]
      .map((page) => link("header:" + page, page)).join("")
    + `</header><nav>`
    + Object.entries(sections).map(([section, pages]) => link("section:" + section, section)
      + list(pages.map((page) => link(`menu:${section} ${page}`, page)))).join("")
    + `</nav>${drawFooter()}`,
  banking: () => `<header><h1>Altoro Mutual Online</h1>`
    + Object.keys(sections).map((section) => link("section:" + section, section)).join("")
    + `</header><nav>`
    + list([
      link("banking:summary", "summary"),
      ...accounts.map((name) => link("account:" + name, name + " account")),
      ...["transfer", "history", "profile", "leave"].map((page) => link("banking:" + page, page)),
    ])
    + `</nav>${drawFooter()}`,
  paper: () => "<header><h1>Altoro Mutual</h1></header>",
};

function drawFooter() {
  return `<footer>${footer.map((page) => link("footer:" + page, page)).join("")}</footer>`;
}

function draw(area, page, html, part = "") {
  document.getElementById("area").innerHTML = areas[area]();
  document.getElementById("page").innerHTML = `<h2>${page}</h2>${html}`;
  document.getElementById("part").innerHTML = part;
}

function form(name, buttons) {
  const label = name in fields ? `<label>${fields[name]}</label>` : "";
  return `<form data-name="${name}">${label}${buttons}</form>`;
}

const signIn = form("sign in", button("form:sign in", "Sign in")
  + button("form:wrong password", "Sign in with a wrong password"));

// What stands below the text of a page that is more than text.
const extras = {
  "public sign in": signIn,
  "public feedback": form("feedback", button("form:send feedback", "Send")),
  "public inside investors": link("print:annual report", "Print the annual report"),
  "banking transfer": form("transfer", button("form:transfer", "Transfer")),
  "banking history": link("print:statement", "Print a statement"),
};

function showPage(area, page) {
  ask("text?page=" + encodeURIComponent(page), ({ text }) => {
    draw(area, page, `<p>${text}</p>${extras[`${area} ${page}`] || ""}`);
  });
}

function print(title) {
  ask("text?page=" + encodeURIComponent(title), ({ text }) => draw("paper", title, `<p>${text}</p>`));
}

function showAccount(name) {
  ask("account?name=" + encodeURIComponent(name), ({ balance }) => {
    draw("banking", "account " + name, `<p>The balance is ${balance}.00.</p>`);
  });
}

const submits = {
  "sign in": () => ask("session?user=jsmith", (session) => {
    accounts = session.accounts;
    showSummary();
  }),
  "wrong password": () => ask("session?user=jsmiht", ({ error }) => {
    draw("public", "sign in", signIn, `<strong>failed: ${error}</strong>`);
  }),
  "send feedback": () => ask("send?form=feedback", ({ receipt }) => {
    draw("public", "feedback", "", `<p>Thank you, it is sent: ${receipt}</p>`);
  }),
  transfer: () => {
    turn++;
    const buttons = button("form:confirm", "Confirm") + button("form:change", "Change");
    draw("banking", "transfer", "", "<p>Preview: transfer 100.00?</p>" + form("preview", buttons));
  },
  change: () => showPage("banking", "transfer"),
  confirm: () => ask("send?form=transfer", ({ receipt }) => {
    draw("banking", "transfer", "", `<p>It is done: ${receipt}</p>`
      + link("print:receipt", "Print the receipt"));
  }),
};

function showSummary() {
  draw("banking", "summary", `<p>You have ${accounts.length} accounts.</p>`);
}

const follow = {
  header: (page) => showPage("public", page),
  section: (page) => showPage("public", page),
  menu: (page) => showPage("public", page),
  footer: (page) => showPage("public", page),
  account: showAccount,
  print,
  banking: (page) => {
    if (page === "leave") {
      showPage("public", "home");
    } else if (page === "summary") {
      turn++;
      showSummary();
    } else {
      showPage("banking", page);
    }
  },
};

function onClick(click) {
  const clicked = click.target.closest("a");
  if (clicked) {
    click.preventDefault();
    const [group, what] = clicked.title.split(":");
    follow[group](what);
  }
}

function onSubmit(submit) {
  submit.preventDefault();
  submits[submit.submitter.title.split(":")[1]]();
}

for (const id of ["area", "page", "part"]) {
  document.getElementById(id).addEventListener("click", onClick);
  document.getElementById(id).addEventListener("submit", onSubmit);
}
showPage("public", "welcome");

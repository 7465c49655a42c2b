"use strict";

const state = { folder: "/", view: "icons", selected: "", preview: "" };
let content = { folders: [], files: [] };
let tops = [];
let turn = 0;

function ask(url, show) {
  const mine = ++turn;
  fetch(url)
    .then((response) => response.json())
    .then((found) => {
      if (mine === turn) {
        show(found);
      }
    });
}

const part = (id) => document.getElementById(id);
const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1) || "Home";

function control(event, text, kind = "") {
  const box = document.createElement("div");
  box.className = ("control " + kind).trim();
  box.title = event;
  box.textContent = text;
  return box;
}

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

// The folders right below the root, and the way from there to the open one.
function drawTree() {
  const steps = state.folder.split("/").slice(1);
  const way = steps.map((_, i) => "/" + steps.slice(0, i + 1).join("/"));
  const tree = [["/", 0]];
  for (const top of tops) {
    tree.push([top, 1]);
    if (top === way[0]) {
      tree.push(...way.slice(1).map((path, i) => [path, i + 2]));
    }
  }
  part("folder").replaceChildren(...tree.map(([path, depth]) => {
    const box = control("tree:" + path, nameOf(path), path === state.folder ? "open" : "");
    box.style.marginLeft = depth + "em";
    return box;
  }));
}

function drawToolbar() {
  const tools = ["icons", "list", "reload"];
  if (state.folder !== "/") {
    tools.unshift("up");
  }
  if (state.selected) {
    tools.push("preview", "deselect");
  }
  if (content.folders.includes(state.selected)) {
    tools.push("open");
  }
  part("toolbar").replaceChildren(...tools.map((tool) => control("toolbar:" + tool, tool)));
}

function drawView() {
  const kind = (path) => path === state.selected ? " chosen" : "";
  const box = document.createElement("div");
  box.className = state.view;
  box.append(
    ...content.folders.map((path) => control("select:" + path, nameOf(path), "folder" + kind(path))),
    ...content.files.map((path) => control("select:" + path, nameOf(path), "file" + kind(path))),
  );
  part("view").replaceChildren(box);
}

function draw() {
  drawTree();
  drawToolbar();
  drawView();
  part("selection").textContent = state.selected;
  part("preview").replaceChildren(
    ...(state.preview ? [paragraph(state.selected), paragraph(state.preview)] : []),
  );
}

function change(changes) {
  Object.assign(state, changes);
  part("welcome").textContent = "";
  draw();
}

function open(folder) {
  ask("content?folder=" + encodeURIComponent(folder), (found) => {
    content = found;
    change({ folder, view: "icons", selected: "", preview: "" });
  });
}

function select(path) {
  if (state.preview && path !== state.selected) {
    preview(path);
  } else {
    change({ selected: path });
  }
}

function preview(path) {
  ask("preview?path=" + encodeURIComponent(path), (found) => {
    change({ selected: path, preview: found.text });
  });
}

const tools = {
  up: () => open(state.folder.slice(0, state.folder.lastIndexOf("/")) || "/"),
  icons: () => change({ view: "icons" }),
  list: () => change({ view: "list" }),
  reload: () => ask("content?folder=" + encodeURIComponent(state.folder), (found) => {
    content = found;
    change({});
  }),
  preview: () => state.preview ? change({ preview: "" }) : preview(state.selected),
  deselect: () => change({ selected: "", preview: "" }),
  open: () => open(state.selected),
};

part("manager").addEventListener("click", (click) => {
  const box = click.target.closest(".control");
  if (!box) {
    return;
  }
  turn++; // what was asked for before is no longer wanted
  const [, group, what] = box.title.match(/^(\w+):(.*)$/);
  if (group === "toolbar") {
    tools[what]();
  } else if (group === "tree") {
    open(what);
  } else {
    select(what);
  }
});

ask("content?folder=/", (found) => {
  content = found;
  tops = found.folders;
  draw();
});

"use strict";

const notice = document.getElementById("notice");
let request = new XMLHttpRequest();

// Whatever was asked for before is no longer wanted.
function ask(url, show) {
  stop();
  request = new XMLHttpRequest();
  request.responseType = "json";
  request.onload = () => show(request.response);
  request.open("GET", url);
  request.send();
}

function stop() {
  request.abort();
  notice.textContent = "";
}

function item(kind, event, path, onClick) {
  const link = document.createElement("a");
  link.href = "#";
  link.title = event + ":" + path;
  link.textContent = path.slice(path.lastIndexOf("/") + 1);
  const li = document.createElement("li");
  li.className = kind;
  li.append(link);
  link.addEventListener("click", (click) => {
    click.preventDefault();
    onClick(li, path);
  });
  return li;
}

function list(folder, listing) {
  const ul = document.createElement("ul");
  ul.append(
    ...listing.folders.map((path) => item("collapsed", "open", path, toggle)),
    ...listing.files.map((path) => item("file", "file", path, read)),
  );
  folder.append(ul);
}

function toggle(folder, path) {
  if (folder.className === "expanded") {
    stop();
    collapse(folder);
  } else {
    ask("folder?path=" + encodeURIComponent(path), (listing) => open(folder, listing));
  }
}

function open(folder, listing) {
  for (const sibling of folder.parentElement.children) {
    if (sibling.className === "expanded") {
      collapse(sibling);
    }
  }
  folder.className = "expanded";
  list(folder, listing);
  document.getElementById("hint").textContent = "";
}

function collapse(folder) {
  folder.className = "collapsed";
  folder.lastChild.remove();
}

// What is in a file is of no interest here: the notice goes when all of it has come.
function read(file, path) {
  ask("file?path=" + encodeURIComponent(path), () => {
    notice.textContent = "";
  });
  notice.textContent = "Reading " + path + " …";
}

ask("folder?path=/", (listing) => list(document.getElementById("tree"), listing));

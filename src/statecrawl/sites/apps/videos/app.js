"use strict";

var page = 1;
var request = new XMLHttpRequest();

function init() {
  showPage(1);
}

function nextPage() {
  showPage(page + 1);
}

function previousPage() {
  showPage(page - 1);
}

function jumpTo(number) {
  showPage(number);
}

function showPage(number) {
  page = Math.min(Math.max(number, 1), Number(document.body.dataset.pages));
  showLoading("comments");
  getUrlXMLResponseAndFillDiv("/comments?v=" + document.body.dataset.video + "&p=" + page, "comments");
}

function showLoading(div) {
  document.getElementById(div).innerHTML = "Loading…";
}

// The only function that asks the server for anything.
function getUrlXMLResponseAndFillDiv(url, div) {
  request.abort();
  request = new XMLHttpRequest();
  request.onload = function () {
    document.getElementById(div).innerHTML = this.responseText;
  };
  request.open("GET", url);
  request.send();
}

"""An application whose DOM, titles, event names and URLs are attacks on whoever shows them.

Everything that a page can choose is one: on the terminal, in markup, in code, in spreadsheets.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router

from statecrawl.sites.server import serve_asgi

ATTACKS = [
    "=cmd|' /C touch pwned'!A0",
    '"""\n__import__("os").system("touch pwned")\n"""\\',
    "]]></data></title></textarea></script><script>window.pwned=1</script><img src=//evil.invalid>",
    '\x1b]0;pwned\x07\0\u202e\r\nWARC/1.1\r\n\r\n\\N"]; a [URL="javascript:alert(1)"] ${1} {{1}}',
]

LABELS = [ATTACKS[0], "".join(ATTACKS[1:])]
"""What stands on the controls."""

_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<link rel="icon" href="data:,"><title>loading</title></head>
<body><main></main><p id="said"></p><p id="chance"></p>
<script>
  const [attacks, labels, verb] = %s;
  const said = document.getElementById("said");
  const asked = new URLSearchParams(location.search).get("q");
  document.title = asked ?? attacks[1];
  document.getElementById("chance").textContent = `Visitor ${Math.floor(1e9 * Math.random())}`;
  for (const attack of asked ? [] : labels) {
    const button = document.createElement("button");
    button.textContent = attack;
    button.dataset.attack = attack;
    button.onclick = () => { said.textContent = `${verb} ${attack}`; };
    document.querySelector("main").append(button);
  }
  const link = document.createElement("a");
  link.textContent = asked ? "home" : "on";
  link.href = asked ? "/" : "/page?q=" + encodeURIComponent(attacks[2]) + "#" + attacks[0];
  document.querySelector("main").append(link);
</script></body></html>"""


def page(verb: str) -> str:
    """The page; its script writes the attacks as text."""
    return _PAGE % json.dumps([ATTACKS, LABELS, verb]).replace("<", "\\u003c")


@asynccontextmanager
async def attacking(verb: str = "chose") -> AsyncIterator[str]:
    """Serve the application; with another verb it is a later version of it."""

    async def respond(_: Request) -> Response:
        headers = {"x-attack": quote(ATTACKS[3])}
        return HTMLResponse(page(verb), headers=headers)

    async with serve_asgi(Router([Route("/", respond), Route("/page", respond)])) as url:
        yield url

"""Kept answers: given again while they are right, and only then."""

import asyncio
from collections import Counter

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, Router

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.answers import Answers
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions
from statecrawl.sites.server import serve_asgi
from tests.browser.helpers import evaluate, fire


def answer(body: str) -> dict[str, str]:
    return {"body": body}


def test_what_is_right_for_one_page_says_nothing_of_what_another_was_told() -> None:
    answers = Answers()
    answers.keep("mine", answer("a"), "one")
    answers.keep("refused", answer("sign in"), "two")  # it is signed out, and nobody knows yet
    answers.trust("one")
    answers.forget_doubtful()
    assert answers.get("mine") == answer("a")
    assert answers.get("refused") is None


def test_an_answer_that_is_trusted_stays_until_the_application_writes() -> None:
    answers = Answers()
    answers.keep("key", answer("a"), "one")
    answers.trust("one")
    answers.keep("key", answer("b"), "two")  # told anew: in doubt again
    answers.forget_doubtful()
    assert answers.get("key") is None
    answers.keep("key", answer("c"), "one")
    answers.trust("one")
    answers.forget()
    assert len(answers) == 0


def test_refusals_are_not_kept() -> None:
    statuses = [503, 401, 404, 200]

    async def ask(_: Request) -> Response:
        return PlainTextResponse("x", statuses.pop(0))

    async def page(_: Request) -> Response:
        return HTMLResponse(
            "<button onclick=\"fetch('/ask').then((answer) => { note.textContent = answer.status })"
            '">ask</button><p id="note"></p>'
        )

    async def run() -> list[str]:
        app = Router([Route("/", page), Route("/ask", ask)])
        async with serve_asgi(app) as url, Chromium(LaunchOptions(), AgentSettings()) as chromium:
            loaded, _ = await chromium.load(url)
            seen = []
            for _ in range(4):
                await fire(loaded, "click button")
                seen.append(await evaluate(loaded, "note.textContent"))
            return seen

    assert asyncio.run(run()) == ["503", "401", "404", "404"]


def test_a_document_keeps_so_much_and_asks_again_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    requested, looked_up = Counter[str](), Counter[str]()
    get = Answers.get

    def counting(self: Answers, key: str) -> object:
        looked_up[key.rpartition("/")[2][0]] += 1
        return get(self, key)

    async def ask(request: Request) -> Response:
        which = request.path_params["which"]
        requested[which] += 1
        return PlainTextResponse(which * 1_500_000)

    async def page(_: Request) -> Response:
        return HTMLResponse(
            "".join(
                f"<button onclick=\"fetch('/ask/{which}').then((answer) => answer.text())"
                ".then((text) => { note.textContent = text[0] + text.length })"
                f'">{which}</button>'
                for which in "abc"
            )
            + '<p id="note"></p>'
        )

    async def run() -> list[str]:
        app = Router([Route("/", page), Route("/ask/{which}", ask)])
        async with serve_asgi(app) as url, Chromium(LaunchOptions(), AgentSettings()) as chromium:
            loaded, _ = await chromium.load(url)
            seen = []
            for which in "aabca":
                await fire(loaded, f'click button "{which}"')
                seen.append(await evaluate(loaded, "note.textContent"))
            return seen

    monkeypatch.setattr(Answers, "get", counting)
    assert asyncio.run(run()) == [f"{which}1500000" for which in "aabca"]
    assert requested == dict.fromkeys("abc", 1)
    assert looked_up == {"a": 2, "b": 1, "c": 1}

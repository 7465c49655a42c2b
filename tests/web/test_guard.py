"""Who may talk to the page's server."""

import asyncio
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Scope

from statecrawl.web.guard import COOKIE, Guard, is_loopback
from tests.web.crawls import generate, identity
from tests.web.viewing import viewed


def ask(guard: Guard, path: str = "/api/crawl", **headers: str) -> tuple[int, dict[str, str]]:
    """Ask a guard for something; the status and the headers of the answer."""
    path, _, query = path.partition("?")
    told = [(name.replace("_", "-").encode(), each.encode()) for name, each in headers.items()]
    scope: Scope = {
        "type": "http", "method": "GET", "path": path, "query_string": query.encode(),
        "headers": told,
    }  # fmt: skip
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asyncio.run(guard(scope, receive, send))
    answered = {name.decode(): each.decode() for name, each in sent[0]["headers"]}
    return sent[0]["status"], answered


PLAIN = Guard(PlainTextResponse("inside"))
LOCKED = Guard(PlainTextResponse("inside"), "secret")


@pytest.mark.parametrize("host", ["127.0.0.1:80", "localhost:8100", "[::1]:1", "127.0.0.2"])
def test_this_machine_may_ask(host: str) -> None:
    status, headers = ask(PLAIN, host=host, origin=f"http://{host}")
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.test", "evil.test:8100", "127.0.0.1.evil.test", "", "::"])
def test_no_other_name_leads_to_us(host: str) -> None:
    assert ask(PLAIN, host=host)[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.test", "null", "http://127.0.0.1:81"])
def test_no_other_page_may_ask(origin: str) -> None:
    assert ask(PLAIN, host="127.0.0.1:80", origin=origin)[0] == 403


def test_what_another_page_embeds_is_refused() -> None:
    asked = {"host": "127.0.0.1:80", "sec_fetch_site": "cross-site"}
    assert ask(PLAIN, sec_fetch_mode="no-cors", **asked)[0] == 403
    assert ask(PLAIN, "/", sec_fetch_mode="navigate", **asked)[0] == 200


def test_elsewhere_a_token_is_needed_once() -> None:
    assert ask(LOCKED, host="shop.test")[0] == 401
    assert ask(LOCKED, "/?token=wrong", host="shop.test")[0] == 401
    assert ask(LOCKED, host="shop.test", cookie=f"{COOKIE}=wrong")[0] == 401
    status, headers = ask(LOCKED, "/?token=secret", host="shop.test")
    assert (status, headers["location"]) == (303, "/")
    assert "HttpOnly" in headers["set-cookie"]
    cookie = headers["set-cookie"].partition(";")[0]
    assert ask(LOCKED, host="shop.test", cookie=cookie)[0] == 200


def test_addresses_that_are_not_the_loopback() -> None:
    assert not any(map(is_loopback, ["192.168.1.2", "10.0.0.1", "::", "evil.test", "127.1"]))


def test_no_address_leads_out_of_the_crawl(tmp_path: Path) -> None:
    folder = generate(tmp_path / "crawl", 5, pictures=2)
    (tmp_path / "secret.jpg").write_bytes(b"\xff\xd8\xff secret")
    with viewed(folder) as (address, _):
        connection = HTTPConnection(urlsplit(address).netloc, timeout=30)

        def status(method: str, path: str) -> int:
            connection.request(method, path)
            answer = connection.getresponse()
            assert b"secret" not in answer.read()
            return answer.status

        assert status("GET", f"/api/pictures/{identity(1)}") == 200
        assert status("GET", f"/api/thumbnails/{identity(1)}") == 200
        assert status("GET", f"/api/states/{identity(1)}") == 200
        for bad in (
            "../../secret",
            "..%2f..%2fsecret",
            "%2e%2e%2f%2e%2e%2fsecret",
            "%00",
            "x" * 99,
        ):
            for kind in ("pictures", "thumbnails", "states"):
                assert status("GET", f"/api/{kind}/{bad}") == 404
        assert status("GET", "/api/wish/stop") == 405
        assert status("POST", "/api/wish/everything") == 404
        connection.close()

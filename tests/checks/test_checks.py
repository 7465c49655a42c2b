"""What checks make of what they are shown; in a browser they are tested elsewhere."""

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from statecrawl.checks import CHECKS
from statecrawl.checks.html import MAX_CHARACTERS, html_check, parse_errors
from statecrawl.checks.invariants import python_invariant, script_invariant
from statecrawl.checks.security import (
    is_open_to_others,
    of_cookies,
    of_headers,
    of_page,
    security_check,
)
from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.sight import Check, Cookie, Document, ScriptError, Sight
from statecrawl.core.snapshot import Snapshot
from statecrawl.errors import InputError
from tests.checks.fake import FakeSight

SAFE = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "strict-transport-security": "max-age=63072000",
}


def texts(check: Check, sight: Sight) -> list[str]:
    async def run() -> list[Problem]:
        return list(await check(sight))

    return [problem.text for problem in asyncio.run(run())]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<!doctype html><title>t</title><p>Hello<p>again", []),
        ("<title>t</title>", ["Unexpected start tag (title). Expected DOCTYPE."]),
        ("<!doctype html></b>", ["Unexpected end tag (b) before html."]),
        ("<!doctype html><p a=1 a=2>", ["Dropped duplicate attribute on tag."]),
    ],
)
def test_a_document_is_parsed_as_it_was_served(body: str, expected: list[str]) -> None:
    found = list(parse_errors(Document("http://a/", {}, body)))
    assert [problem.text for problem in found] == expected
    assert all(problem.kind is FindingKind.HTML for problem in found)
    assert all(problem.where.startswith("http://a/:1:") for problem in found)


def test_a_document_too_large_to_be_parsed_is_left_alone() -> None:
    assert list(parse_errors(Document("http://a/", {}, "<" * (MAX_CHARACTERS + 1)))) == []


def test_a_document_is_told_of_once_and_its_tree_each_time() -> None:
    check = html_check()
    sight = FakeSight(served=Document("http://a/", {}, "<p>"), value=[["x"], [["a", "b"]], ["y"]])
    once, twice = texts(check, sight), texts(check, sight)
    assert once[1:] == twice == [
        "several elements have the id 'x'",
        "b stands inside a",
        "a label is for 'y', and nothing has this id",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("url", "headers", "policy", "expected"),
    [
        ("https://a/", SAFE, "", []),
        ("http://a/", {}, "", ["Content-Security", "X-Content-Type", "frame"]),
        ("https://a/", {}, "", ["Content-Security", "X-Content-Type", "frame", "Strict"]),
        ("http://a/", {}, "default-src 'self'", ["X-Content-Type", "frame"]),
        ("http://a/", {**SAFE, "x-content-type-options": "sniff"}, "", ["X-Content-Type"]),
        ("http://a/", {**SAFE, "content-security-policy": "x"}, "", ["frame"]),
        ("http://a/", {**SAFE, "content-security-policy": "x", "x-frame-options": "DENY"}, "", []),
    ],
)
def test_headers_that_are_missing(
    url: str, headers: Mapping[str, str], policy: str, expected: list[str]
) -> None:
    found = [problem.text for problem in of_headers(Document(url, headers, ""), policy)]
    assert len(found) == len(expected)
    assert all(word in text for word, text in zip(expected, found, strict=True))


def test_cookies_that_lack_something_are_named_without_their_values() -> None:
    good = Cookie("good", http_only=True, secure=True, same_site=True)
    bad = Cookie("bad", http_only=False, secure=False, same_site=False)
    assert list(of_cookies([good], is_https=True)) == []
    assert [p.text.split(": ")[1] for p in of_cookies([good, bad], is_https=True)] == [
        "no HttpOnly", "no SameSite", "no Secure",
    ]  # fmt: skip
    assert len(list(of_cookies([bad], is_https=False))) == 2


def shown(**parts: Any) -> dict[str, Any]:
    nothing = {"passwords": 0, "byGet": 0, "sendsTo": [], "plain": [], "openers": [], "policy": ""}
    return {"url": "https://a/", **nothing, **parts}


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (shown(), []),
        (shown(passwords=1, sendsTo=["https://a/in"]), []),
        (shown(passwords=1, sendsTo=["http://a/in"]), ["a password goes over http"]),
        (shown(passwords=1, url="http://a/"), ["a password goes over http"]),
        (shown(passwords=1, url="http://127.0.0.1:8000/"), []),
        (shown(passwords=1, byGet=1), ["a form with a password is sent by GET"]),
        (shown(plain=["http://b/x.js"]), ["http://b/x.js goes over http"]),
        (shown(plain=["http://b/x.js"], url="http://a/"), []),
        (shown(openers=["https://b/"]), ["the link to https://b/ opens a window without noopener"]),
    ],
)
def test_forms_parts_and_links(page: dict[str, Any], expected: list[str]) -> None:
    found = [problem.text for problem in of_page(page)]
    assert len(found) == len(expected)
    assert all(text.startswith(begin) for begin, text in zip(expected, found, strict=True))


@pytest.mark.parametrize(
    ("url", "is_open"),
    [
        ("http://example.org/", True),
        ("http://10.0.0.1/", True),
        ("http://localhost.example.org/", True),
        ("https://example.org/", False),
        ("http://localhost:3000/", False),
        ("http://app.localhost/", False),
        ("http://127.9.9.9/", False),
        ("http://[::1]:80/", False),
    ],
)
def test_nobody_listens_on_the_way_to_this_machine(url: str, is_open: bool) -> None:
    assert is_open_to_others(url) is is_open


def test_headers_are_told_of_once_for_each_document() -> None:
    check = security_check()
    one = FakeSight(served=Document("http://a/", SAFE, ""), value=shown(openers=["https://b/"]))
    two = FakeSight(served=Document("http://a/2", {}, ""), value=shown())
    assert (len(texts(check, one)), len(texts(check, two)), texts(check, two)) == (1, 3, [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("cart.total >= 0", "cart.total >= 0"),
        ("total: cart.total >= 0", "total"),
        ("no negative total:\n cart.total >= 0", "no negative total"),
        ("a ? b : c", "a ? b : c"),
        ("a:b", "a:b"),
    ],
)
def test_an_expression_may_have_a_name(text: str, name: str) -> None:
    check = script_invariant(text)
    assert texts(check, FakeSight(value=True)) == []
    assert texts(check, FakeSight(value=False)) == [f"{name}: does not hold"]
    thrown = ScriptError("ReferenceError: cart is not defined")
    assert texts(check, FakeSight(value=thrown)) == [f"{name}: {thrown}"]


def test_a_function_says_whether_all_is_well_or_what_is_not() -> None:
    def polite(snapshot: Snapshot) -> bool | str:
        return "Hello" in snapshot.dom or "no greeting"

    def silent(snapshot: Snapshot) -> bool:
        return not snapshot.dom

    def broken(snapshot: Snapshot) -> bool:
        return bool(snapshot.events[7])

    rude = FakeSight(Snapshot("<p>Go away</p>", ()))
    assert texts(python_invariant(polite), FakeSight()) == []
    assert texts(python_invariant(polite), rude) == ["polite: no greeting"]
    assert texts(python_invariant(silent), rude) == ["silent: does not hold"]
    assert texts(python_invariant(broken), rude) == ["broken: IndexError: tuple index out of range"]


@pytest.mark.parametrize(
    ("name", "module"), [("html", "html5lib"), ("accessibility", "axe_playwright_python")]
)
def test_without_the_extra_it_is_said_how_to_get_it(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=r"pip install 'statecrawl\[checks\]'"):
        CHECKS[name]()

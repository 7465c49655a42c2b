"""Crawlers that share a site out, and one search over what they found."""

import json
from pathlib import Path

from statecrawl.core.site import parse_site
from tests.command import statecrawl
from tests.serving import site
from tests.test_cli import assert_refused

VIDEOS = 4


def test_parts_of_a_site_are_crawled_apart_and_searched_as_one(tmp_path: Path) -> None:
    with site(f"videos:videos={VIDEOS}") as url:
        done = statecrawl("precrawl", url, "--output", "pages.json", cwd=tmp_path)
        assert f"{VIDEOS} pages" in done.stderr
        pages = list(parse_site((tmp_path / "pages.json").read_text()).links)
        assert pages == [f"{url}watch?v={video}" for video in range(1, VIDEOS + 1)]
        options = ("--no-screenshots", "--max-states-per-url", "2", "--json")
        for part in ("1/2", "2/2"):
            words = ("crawl", "--pages", "pages.json", "--part", part, "--out", f"part-{part[0]}")
            crawled = json.loads(statecrawl(*words, *options, cwd=tmp_path).stdout)
            assert crawled["urls"] == 2
    found = statecrawl("search", "part-1", "part-2", "comments OR related", "--json", cwd=tmp_path)
    results = json.loads(found.stdout)
    assert {result["url"] for result in results} == set(pages)
    assert all(result["entry"] == result["url"] for result in results)


def test_pages_and_parts_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}")
    for words, what in {
        ("crawl", "--pages", "nowhere.json"): "can't read",
        ("crawl", "--pages", "bad.json"): "precrawl",
        ("crawl", "http://127.0.0.1:9/", "--part", "1/2"): "--part needs --pages",
        ("precrawl", "ftp://x"): "not a URL",
        ("precrawl", "http://x", "--max-urls", "0"): "--max-urls",
    }.items():
        assert_refused(statecrawl(*words, cwd=tmp_path), what)
    gone = statecrawl("precrawl", "http://127.0.0.1:9/", cwd=tmp_path)
    assert (gone.returncode, len(gone.stderr.splitlines())) == (3, 1)

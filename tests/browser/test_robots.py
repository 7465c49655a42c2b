"""What a site tells robots is read without leaving its scope."""

import asyncio

from statecrawl.browser.robots import Robots, sitemap
from statecrawl.core.scope import Scope
from tests.browser.test_gate import counting

SITE = {
    "/robots.txt": "User-agent: *\nDisallow: /private\nSitemap: INSIDE/index.xml\n"
    "Sitemap: INSIDE/away\nSitemap: OUTSIDE/map.xml",
    "/index.xml": "<sitemapindex><sitemap><loc>INSIDE/map.xml</loc></sitemap></sitemapindex>",
    "/map.xml": "<urlset><url><loc> INSIDE/a?b&amp;c </loc></url><url><loc>OUTSIDE/d</loc></url>"
    "<url><loc><![CDATA[INSIDE/e]]></loc></url><url><loc>INSIDE/a?b&amp;c</loc></url></urlset>",
}


def test_sitemaps_give_urls_in_scope_and_nothing_outside_is_asked_for() -> None:
    async def run() -> None:
        async with counting(SITE) as (url, visited):
            assert await sitemap(url, Scope.of([url]), "me/1") == [f"{url}a?b&c", f"{url}e"]
        assert visited.inside["/away"] == 1
        assert not visited.outside
        assert visited.agents == {"me/1"}

    asyncio.run(run())


def test_rules_are_read_once_and_a_site_without_them_allows_all() -> None:
    async def run() -> None:
        async with counting(SITE) as (url, visited), counting({}) as (other, _):
            robots = Robots("me/1")
            assert [await robots.allow(f"{url}{path}") for path in ("private/x", "a")] == [
                False,
                True,
            ]
            assert visited.inside["/robots.txt"] == 1
            assert await robots.allow(f"{other}private/x")

    asyncio.run(run())

"""The documents of a crawl as a sitemap, for search engines and other crawlers."""

from typing import TextIO
from urllib.parse import quote, urlsplit

from statecrawl.core.crawled import Crawled
from statecrawl.exporters.graphml import escaped

MAX_URLS = 50_000
MAX_CHARACTERS = 2_047
"""What a sitemap may hold, as sitemaps.org says."""

_KEPT = "!#$%&'()*+,/:;=?@[]~"


def export_sitemap(crawled: Crawled, stream: TextIO) -> None:
    """Write the URLs of all states on the host of the crawl, each once, without fragments."""
    host = urlsplit(str(crawled.about.get("url", ""))).netloc
    seen = (*crawled.entries, *(state.url for state in crawled.states.values()))
    urls = list(dict.fromkeys(url for url in map(_address, seen) if urlsplit(url).netloc == host))
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n')
    for url in urls[:MAX_URLS]:
        stream.write(f" <url><loc>{escaped(url)}</loc></url>\n")
    if len(urls) > MAX_URLS:
        stream.write(f" <!-- {len(urls) - MAX_URLS} more: a sitemap holds {MAX_URLS} -->\n")
    stream.write("</urlset>\n")


def _address(url: str) -> str:
    """Return the URL of a document as a sitemap may name it; nothing when it may not."""
    address = quote(url.partition("#")[0].encode("utf-8", "replace"), safe=_KEPT)
    try:
        is_web = urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return ""
    return address if is_web and len(address) <= MAX_CHARACTERS else ""

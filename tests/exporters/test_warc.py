"""Whatever a server says comes back from the archive as it was; archives of others are read too."""

import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from statecrawl.core.crawled import Crawled
from statecrawl.core.exchange import Asked, Exchange
from statecrawl.errors import InputError
from statecrawl.exporters.warc import export_warc
from statecrawl.storage.responses import Responses, recorded
from statecrawl.storage.sqlite import SqliteStore
from statecrawl.storage.warc import read_warc

values = st.text(st.characters(codec="latin-1"), max_size=12) | st.just("a\r\nset-cookie: b")
headers = st.lists(
    st.tuples(st.sampled_from(["content-type", "x-a", "link"]), values), max_size=3
).map(tuple)
exchanges = st.builds(
    Exchange,
    asked=st.builds(
        Asked,
        st.sampled_from(["GET", "POST", "HEAD"]),
        st.sampled_from(["http://h/", "https://h:8/a?b=c%20d&e"]),
        st.binary(max_size=20),
    ),
    request_headers=headers,
    status=st.sampled_from([200, 204, 301, 404, 500]),
    reason=st.sampled_from(["", "OK", "a\r\nb"]),
    headers=headers,
    body=st.binary(max_size=200) | st.just(b"\x1f\x8b WARC/1.1\r\n\r\n"),
    at=st.integers(0, 2**32).map(float),
    is_cut=st.booleans(),
)
ABOUT = {"url": "http://h/", "clock": 1_700_000_000_000, "entries": ["http://h/"]}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seen=st.lists(exchanges, min_size=1, max_size=6))
def test_what_was_recorded_is_what_is_read(tmp_path: Path, seen: list[Exchange]) -> None:
    folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
    with SqliteStore.create(folder, ABOUT) as store:
        responses = Responses()
        responses.add(seen[0])  # before there is a folder
        responses.open(folder)
        for exchange in seen * 2:
            responses.add(exchange)
        responses.close()
        distinct = list({each.digest: each for each in reversed(seen)}.values())[::-1]
        assert sorted(recorded(folder), key=repr) == sorted(distinct, key=repr)
        stream = io.BytesIO()
        export_warc(store.crawled().with_contents(store), stream)
    kinds = [
        record.rec_type
        for record in ArchiveIterator(io.BytesIO(stream.getvalue()), check_digests="raise")
        if record.content_stream().read() is not None
    ]
    assert kinds == ["warcinfo", *["response", "request"] * len(distinct)]
    file = folder / "a.warc.gz"
    file.write_bytes(stream.getvalue())
    read = read_warc(file)
    assert (read.start, read.clock) == ("http://h/", 1_700_000_000_000)
    assert sorted(map(essence, read.exchanges), key=repr) == sorted(
        map(essence, distinct), key=repr
    )


def essence(exchange: Exchange) -> tuple[object, ...]:
    """What an archive keeps exactly; of headers that would break a line only the name."""
    names = [name for name, _ in exchange.headers]
    return exchange.asked, exchange.status, exchange.body, names, exchange.at, exchange.is_cut


def test_a_crawl_that_recorded_nothing_has_no_archive() -> None:
    with pytest.raises(InputError, match="--record"):
        export_warc(Crawled({}), io.BytesIO())


def test_an_archive_of_somebody_else(tmp_path: Path) -> None:
    file = tmp_path / "other.warc"
    with file.open("wb") as stream:
        writer = WARCWriter(stream, gzip=False)
        for url, kind in (("http://h/logo", "image/png"), ("http://h/start#top", "text/html")):
            head = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
            record = writer.create_warc_record(
                url, "response", io.BytesIO(b"<p>"), length=3, http_headers=head,
                warc_headers_dict={"WARC-Date": "2020-01-01T00:00:00Z"},
            )  # fmt: skip
            writer.write_record(record)
    read = read_warc(file)
    assert (read.start, read.clock) == ("http://h/start", 1_577_836_800_000)
    assert [each.asked.method for each in read.exchanges] == ["GET", "GET"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "there are no responses"),
        (b"no archive at all\n" * 20, "is no web archive"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\xff damaged", "is no web archive"),
        (None, "can't read"),
    ],
)
def test_a_bad_archive_is_told_in_one_line(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    file = tmp_path / "a.warc"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_warc(file)

"""The coordinator's address: who is refused, in one line, and that nothing else happens then."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, get_args

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import booleans
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.types import ASGIApp

from statecrawl.compose.fleet import StarOptions, new_hub
from statecrawl.compose.http import VERSION, hub_app
from statecrawl.compose.page import open_desk
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.coordination.sessions import Envelope
from statecrawl.coordination.star_messages import (
    GetCredentials,
    SendNewState,
    ToStarCoordinator,
    ToStarNode,
)
from statecrawl.coordination.wire import codec
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed
from statecrawl.core.masks import Masks
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.wish import Wish
from statecrawl.runtimes.http.bodies import VERSION_HEADER, Letter, Parcel, Visits
from statecrawl.runtimes.http.server import MAX_BODY_BYTES
from statecrawl.runtimes.hub import Hub
from statecrawl.sites.server import serve_asgi
from statecrawl.storage import SqliteStore

URL = "http://127.0.0.1:1/"
TOKEN = "a-token-of-some-length"  # noqa: S105 - of this test only
OURS = {VERSION_HEADER: VERSION, "Authorization": f"Bearer {TOKEN}"}
warnings: list[str] = []


def new_store(folder: Path) -> SqliteStore:
    options = CrawlOptions(URL).to_json()
    about = {"options": options, "clock": 0, "starts": [URL], "entries": [URL], "reset_cost": 2.0}
    return SqliteStore.create(folder, about)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with new_store(tmp_path / "crawl") as made:
        yield made


def served(store: SqliteStore, token: str = TOKEN) -> tuple[Hub, ASGIApp]:
    warnings.clear()
    hub = new_hub(store, StarOptions(nodes=1, lease_seconds=30), RunOptions(), warnings.append)
    return hub, hub_app(hub, store, token, ())


@asynccontextmanager
async def client(app: ASGIApp, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers={**OURS, **headers}
    ) as made:
        yield made


def test_a_pause_of_the_page_reaches_nodes_that_wait(store: SqliteStore, tmp_path: Path) -> None:
    hub, app = served(store)
    desk = open_desk(tmp_path / "crawl")

    async def run() -> list[bool]:
        running = asyncio.create_task(hub.run(None))
        try:
            async with asyncio.timeout(60), client(app) as node:
                letters = f"/nodes/{(await node.post('/nodes')).json()['name']}/letters?wait=30"
                told = []
                for wish in (Wish.PAUSE, Wish.RUN, Wish.STOP):
                    waiting = asyncio.create_task(node.get(letters))
                    await desk.ask(wish)
                    answer = (await waiting).json()
                    told += [answer["is_paused"], answer["is_over"]]
                return told
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await desk.close()

    assert asyncio.run(run()) == [True, False, False, False, False, True]


def parcel(*messages: Any) -> str:
    told = codec(ToStarCoordinator)
    letters = [
        Letter.of(Envelope(1_000_001, 0, number, 0, message), told)
        for number, message in enumerate(messages, 1)
    ]
    return Parcel(letters=letters, counts=codec(Counts).write(Counts())).model_dump_json()


def visits() -> str:
    seen = Snapshot("<html></html>", ())
    return Visits.of("s1", (seen, seen), Counts()).model_dump_json()


def asked(
    app: ASGIApp, ask: Callable[[httpx.AsyncClient, str], Awaitable[httpx.Response]], **headers: str
) -> httpx.Response:
    """What a client is answered that has joined, if it could."""

    async def run() -> httpx.Response:
        async with client(app) as ours:
            name = (await ours.post("/nodes")).json()["name"]
        async with client(app, **headers) as other:
            return await ask(other, name)

    return asyncio.run(run())


async def _large(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 1_000_000 + 1):
        yield b" " * 1_000_000


@pytest.mark.parametrize(
    ("headers", "path", "body", "code", "why"),
    [
        ({"Authorization": "Bearer wrong"}, "", "", 401, "wrong token"),
        ({"Authorization": ""}, "", "", 401, "wrong token"),
        ({VERSION_HEADER: "0.0/1"}, "", "", 426, "install the same version"),
        ({}, "/nodes/somebody/letters", parcel(), 404, "there is no such node"),
        ({}, "/nodes/somebody/visits", visits(), 404, "there is no such node"),
        ({"Authorization": ""}, "/nodes/{}/visits", visits(), 401, "wrong token"),
        ({}, "/nodes/{}/visits", visits().replace('"dom"', '"path"'), 422, "Snapshot has"),
        ({}, "/nodes/{}/visits", visits().replace('"state"', '"masks"'), 422, "no message"),
        (
            {},
            "/nodes/{}/visits",
            visits().replace("s1", "s" * 65),
            422,
            "no message of ours: body.state",
        ),
        ({}, "", "not JSON", 422, "no message of ours"),
        ({}, "", '{"letters": [], "counts": {}}', 422, "no message of ours: Counts has"),
        ({}, "", parcel(GetCredentials(1)).replace("GetCredentials", "Rule"), 422, "no message"),
        ({}, "", parcel(GetCredentials(1)).replace('"number":1', '"number":0'), 422, "numbered"),
        ({}, "", b" " * (MAX_BODY_BYTES + 1), 413, "the body has more than"),
        ({}, "", _large(MAX_BODY_BYTES), 413, "the body has more than"),
    ],
    ids=(
        "token no-token version unknown nobody no-token-visits page masks state text fields kind "
        "number large stream"
    ).split(),
)
def test_what_is_refused_is_refused_in_one_line(
    headers: dict[str, str], path: str, body: Any, code: int, why: str, store: SqliteStore
) -> None:
    hub, app = served(store)
    json_type = {"Content-Type": "application/json"}
    answer = asked(
        app,
        lambda other, name: other.post(
            (path or "/nodes/{}/letters").format(name), content=body, headers=json_type
        ),
        **headers,
    )
    assert answer.status_code == code
    assert why in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert hub.recorder.states == 0


def test_a_letter_that_comes_twice_counts_once(store: SqliteStore) -> None:
    hub, app = served(store)

    async def run(ours: httpx.AsyncClient, name: str) -> httpx.Response:
        for _ in range(3):
            await ours.post(f"/nodes/{name}/letters", content=parcel(GetCredentials(1)))
        return await ours.get(f"/nodes/{name}/letters")

    letters = asked(app, run, **{"Content-Type": "application/json"}).json()["letters"]
    kinds = [each["message"]["kind"] for each in letters if each["message"]]
    assert kinds == ["Credentials"]
    assert hub.nodes == 1


def test_facts_about_states_that_nobody_found_are_passed_over(store: SqliteStore) -> None:
    _, app = served(store)

    async def run(ours: httpx.AsyncClient, name: str) -> httpx.Response:
        await ours.post(f"/nodes/{name}/letters", content=parcel(GetCredentials(1)))
        answer = await ours.get(f"/nodes/{name}/letters")
        token = answer.json()["letters"][0]["message"]["token"]
        forged = SendNewState(token, (Executed("nowhere", "click", "elsewhere"),))
        body = parcel(GetCredentials(1), forged)
        await ours.post(f"/nodes/{name}/letters", content=body)
        return await ours.get(f"/nodes/{name}/letters", params={"wait": 0})

    answer = asked(app, run, **{"Content-Type": "application/json"})
    assert answer.status_code == 200
    assert not answer.json()["is_over"]
    assert list(store.facts()) == []
    assert "never found" in warnings[0]


def test_visits_that_nobody_asked_for_are_passed_over(store: SqliteStore) -> None:
    hub, app = served(store)

    async def run(ours: httpx.AsyncClient, name: str) -> httpx.Response:
        answer = await ours.post(f"/nodes/{name}/visits", content=visits())
        assert hub.knows(name)
        return answer

    answer = asked(app, run, **{"Content-Type": "application/json"})
    assert answer.json() == {"is_forgotten": False}
    assert store.masks == Masks()


def test_a_node_of_a_coordinator_that_died_is_known_to_the_next(store: SqliteStore) -> None:
    hub, _ = served(store)
    name = hub.join()
    assert name is not None
    hub.recorder.tell(name, Counts(events=3))
    again, _ = served(store)
    assert again.knows(name)
    assert not again.knows("somebody")


@contextmanager
def served_in_a_thread(folder: Path) -> Iterator[str]:
    """Serve a coordinator without a token, and give its URL."""
    started: Queue[str] = Queue()
    loop = asyncio.new_event_loop()
    enough = asyncio.Event()

    async def serve() -> None:
        with new_store(folder) as store:
            async with serve_asgi(served(store, token="")[1]) as url:
                started.put(url)
                await enough.wait()

    thread = Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        yield started.get(timeout=30)
    finally:
        loop.call_soon_threadsafe(enough.set)
        thread.join()
        loop.close()


def test_the_api_withstands_what_its_own_description_allows(tmp_path: Path) -> None:
    with served_in_a_thread(tmp_path / "crawl") as url:
        schema = schemathesis.openapi.from_url(f"{url}openapi.json")
        name = httpx.post(f"{url}nodes", headers=OURS).json()["name"]
        operations = [each.ok() for each in schema.get_all_operations()]  # type: ignore[union-attr]
        for operation in operations:
            call_all(operation.as_strategy(), name)
    assert len(operations) == 4


def call_all(cases: Any, name: str) -> None:
    """Make requests that the description allows, some of them in the name of a real node."""

    @settings(
        max_examples=20, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=cases, is_ours=booleans())
    def call(case: Any, is_ours: bool) -> None:
        if "wait" in (case.query or {}):
            case.query["wait"] = 0
        if case.path_parameters and is_ours:
            case.path_parameters["name"] = name
        # A letter to a node, or one with a number and no message, is described and still refused.
        case.call_and_validate(
            headers={VERSION_HEADER: VERSION}, excluded_checks=[positive_data_acceptance]
        )

    call()


def test_the_description_names_every_body(store: SqliteStore) -> None:
    _, app = served(store)
    described = asked(app, lambda ours, _: ours.get("/openapi.json"))
    schemas = json.loads(described.content)["components"]["schemas"]
    assert {"Letter", "Parcel", "Receipt", "Delivery", "Membership", "Visits", "Verdict"} <= set(
        schemas
    )
    messages = schemas["Letter"]["properties"]["message"]["anyOf"]
    kinds = {each["properties"]["kind"]["const"] for each in messages if "properties" in each}
    assert kinds == {kind.__name__ for kind in get_args(ToStarCoordinator | ToStarNode)}

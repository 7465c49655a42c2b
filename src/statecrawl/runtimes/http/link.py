"""A node's line to its coordinator over HTTP."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import httpx
from pydantic import ValidationError

from statecrawl.coordination.sessions import Envelope
from statecrawl.coordination.star_messages import ToStarCoordinator, ToStarNode
from statecrawl.coordination.wire import MessageError, codec
from statecrawl.core.counts import Counts
from statecrawl.errors import InputError
from statecrawl.runtimes.http import bodies
from statecrawl.runtimes.http.bodies import (
    COUNTS,
    VERSION_HEADER,
    Delivery,
    Letter,
    Membership,
    Parcel,
    Receipt,
)
from statecrawl.runtimes.line import (
    WAIT_SECONDS,
    ForgottenError,
    Line,
    Mail,
    NoAnswerError,
    Visits,
)

TO_COORDINATOR, TO_NODE = codec(ToStarCoordinator), codec(ToStarNode)
Body = TypeVar("Body", Membership, Receipt, Delivery, bodies.Verdict)


class Link(Line):
    """Joins, sends and receives as a client: nobody has to reach the node."""

    def __init__(
        self,
        url: str,
        version: str,
        token: str,
        patience_seconds: float,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(url, patience_seconds, say)
        headers = {VERSION_HEADER: version, "Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        timeout = httpx.Timeout(10.0, read=WAIT_SECONDS + 20.0)
        self._client = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout)
        self._name = ""

    async def close(self) -> None:
        """Hang up."""
        await self._client.aclose()

    async def ask_to_join(self) -> dict[str, Any]:
        """Ask for a name, keep it, and return what there is to know about the crawl."""
        answer = await self._ask("POST", "/nodes", Membership)
        self._name = answer.name
        return answer.crawl

    async def deliver(self, envelopes: Sequence[Envelope], counts: Counts) -> float:
        """Post letters; return how many seconds the coordinator spent on them."""
        letters = [Letter.of(envelope, TO_COORDINATOR) for envelope in envelopes]
        parcel = Parcel(letters=letters, counts=COUNTS.write(counts))
        path = f"/nodes/{self._name}/letters"
        return (await self._ask("POST", path, Receipt, parcel.model_dump_json())).seconds

    async def collect(self, wait_seconds: float) -> Mail:
        """Wait for letters, and return them."""
        path = f"/nodes/{self._name}/letters?wait={wait_seconds}"
        delivery = await self._ask("GET", path, Delivery)
        try:
            envelopes = [letter.envelope(TO_NODE) for letter in delivery.letters]
        except MessageError as error:
            raise InputError(f"{self._where} sends what is no message: {error}") from None
        return Mail(envelopes, delivery.doubts, delivery.is_over, delivery.is_paused)

    async def deliver_visits(self, state: str, visits: Visits, counts: Counts) -> bool:
        """Post what a doubtful page looked like; tell whether all nodes are forgotten now."""
        body = bodies.Visits.of(state, visits, counts).model_dump_json()
        path = f"/nodes/{self._name}/visits"
        return (await self._ask("POST", path, bodies.Verdict, body)).is_forgotten

    async def _ask(self, method: str, path: str, kind: type[Body], body: str = "") -> Body:
        try:
            response = await self._client.request(method, path, content=body or None)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise InputError(f"{self._where!r} is not the URL of a coordinator: {error}") from None
        except httpx.HTTPError as error:
            raise NoAnswerError(str(error) or type(error).__name__) from None
        if response.status_code >= 500:
            raise NoAnswerError(f"it answers with {response.status_code}")
        return self._read(response, kind)

    def _read(self, response: httpx.Response, kind: type[Body]) -> Body:
        if response.is_success:
            try:
                return kind.model_validate_json(response.content)
            except ValidationError:
                raise InputError(f"{self._where} is not a coordinator of statecrawl") from None
        if response.status_code == 404 and self._name:
            raise ForgottenError
        try:
            why = str(response.json()["error"])[:300]
        except (ValueError, KeyError, TypeError):
            why = f"it answers with {response.status_code}: is this a coordinator of statecrawl?"
        raise InputError(f"{self._where} refuses: {' '.join(why.split())}")

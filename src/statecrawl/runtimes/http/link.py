"""A node's line to its coordinator: letters out, letters in, over a network that may fail."""

import asyncio
from collections.abc import Callable
from time import monotonic, perf_counter
from typing import Any, TypeVar

import httpx
from pydantic import ValidationError

from statecrawl.coordination.sessions import Envelope
from statecrawl.coordination.star_messages import ToStarCoordinator, ToStarNode
from statecrawl.coordination.wire import MessageError, codec
from statecrawl.core.counts import Counts
from statecrawl.errors import ApplicationError, InputError
from statecrawl.runtimes.http.bodies import (
    MAX_ENVELOPES,
    VERSION_HEADER,
    Delivery,
    Letter,
    Membership,
    Parcel,
    Receipt,
)

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
WAIT_SECONDS = 20.0
BATCH_CHARACTERS = 8_000_000
"""So much is put into one request, unless one letter alone has more."""
TO_COORDINATOR, TO_NODE, COUNTS = codec(ToStarCoordinator), codec(ToStarNode), codec(Counts)

Answer = TypeVar("Answer", Membership, Receipt, Delivery)


class ForgottenError(Exception):
    """The coordinator does not know the node, or knows it no more."""


class Link:
    """Joins, sends and receives, again and again until it works, but not for ever."""

    def __init__(
        self,
        url: str,
        version: str,
        token: str,
        patience_seconds: float,
        say: Callable[[str], None],
    ) -> None:
        headers = {VERSION_HEADER: version, "Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._url = url
        self._say = say
        self._patience_seconds = patience_seconds
        timeout = httpx.Timeout(10.0, read=WAIT_SECONDS + 20.0)
        self._client = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout)
        self._name = ""
        self._waiting: list[Envelope] = []
        self._has_letters = asyncio.Event()
        self.is_over = False

    async def close(self) -> None:
        """Hang up."""
        await self._client.aclose()

    async def join(self) -> dict[str, Any]:
        """Take part, and return what there is to know about the crawl."""
        answer = await self._ask("POST", "/nodes", Membership)
        self._name = answer.name
        self._waiting.clear()
        return answer.crawl

    def send(self, to: str, envelope: Envelope) -> None:
        """Have a letter sent."""
        del to
        self._waiting.append(envelope)
        self._has_letters.set()

    async def keep_sending(
        self, counts: Callable[[], Counts], answered: Callable[[float, float], None]
    ) -> None:
        """Send letters as they come; `answered` hears what a round trip took, here and there."""
        while True:
            await self._has_letters.wait()
            parcel = self._parcel(counts())
            started = perf_counter()
            receipt = await self._ask("POST", self._letters, Receipt, parcel.model_dump_json())
            answered(perf_counter() - started - receipt.seconds, receipt.seconds)

    async def keep_receiving(self, hear: Callable[[Envelope], None]) -> None:
        """Hear letters as they come, until the crawl is over."""
        path = f"{self._letters}?wait={WAIT_SECONDS}"
        while not self.is_over:
            delivery = await self._ask("GET", path, Delivery)
            for letter in delivery.letters:
                try:
                    hear(letter.envelope(TO_NODE))
                except MessageError as error:
                    raise InputError(f"{self._url} sends what is no message: {error}") from None
            self.is_over = delivery.is_over

    async def say_last(self, counts: Counts) -> None:
        """Send what is left, once: the coordinator may be gone."""
        try:
            parcel = self._parcel(counts)
            await self._client.post(self._letters, content=parcel.model_dump_json())
        except httpx.HTTPError:
            return

    @property
    def _letters(self) -> str:
        return f"/nodes/{self._name}/letters"

    def _parcel(self, counts: Counts) -> Parcel:
        """Return the next letters, as many as go into one request."""
        letters: list[Letter] = []
        size = 0
        while self._waiting and len(letters) < MAX_ENVELOPES and size < BATCH_CHARACTERS:
            envelope = self._waiting.pop(0)
            letters.append(Letter.of(envelope, TO_COORDINATOR))
            size += sum(len(fact[1].dom) for fact in _pages(envelope.message))
        if not self._waiting:
            self._has_letters.clear()
        return Parcel(letters=letters, counts=COUNTS.write(counts))

    async def _ask(self, method: str, path: str, kind: type[Answer], body: str = "") -> Answer:
        """Ask until there is an answer, with growing pauses; every request may come twice."""
        pause = FIRST_PAUSE_SECONDS
        given_up_at = monotonic() + self._patience_seconds
        while True:
            try:
                response = await self._client.request(method, path, content=body or None)
                if response.status_code < 500:
                    return self._read(response, kind)
                problem = f"it answers with {response.status_code}"
            except httpx.InvalidURL as error:
                raise InputError(
                    f"{self._url!r} is not the URL of a coordinator: {error}"
                ) from None
            except httpx.HTTPError as error:
                problem = str(error) or type(error).__name__
            if monotonic() >= given_up_at:
                raise ApplicationError(f"can't reach the coordinator at {self._url}: {problem}")
            if pause == FIRST_PAUSE_SECONDS:
                self._say(f"the coordinator at {self._url} does not answer ({problem}): trying on")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _read(self, response: httpx.Response, kind: type[Answer]) -> Answer:
        if response.is_success:
            try:
                return kind.model_validate_json(response.content)
            except ValidationError:
                raise InputError(f"{self._url} is not a coordinator of statecrawl") from None
        if response.status_code == 404 and self._name:
            raise ForgottenError
        try:
            why = str(response.json()["error"])[:300]
        except (ValueError, KeyError, TypeError):
            why = f"it answers with {response.status_code}: is this a coordinator of statecrawl?"
        raise InputError(f"{self._url} refuses: {' '.join(why.split())}")


def _pages(message: Any) -> list[Any]:
    return [fact for fact in getattr(message, "facts", ()) if hasattr(fact, "snapshot")]

"""What travels between a node and its coordinator, as the OpenAPI description shows it."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from statecrawl.coordination.sessions import Envelope
from statecrawl.coordination.star_messages import ToStarCoordinator, ToStarNode
from statecrawl.coordination.wire import Codec, codec
from statecrawl.core.counts import Counts
from statecrawl.core.snapshot import Snapshot
from statecrawl.runtimes.http.schema import schema
from statecrawl.runtimes.line import MAX_ENVELOPES

VERSION_HEADER = "Statecrawl-Version"
COUNTS, PAGE = codec(Counts), codec(Snapshot)

Message = Annotated[
    dict[str, Any] | None, WithJsonSchema(schema(ToStarCoordinator | ToStarNode | None))
]
Number = Annotated[int, Field(ge=0, le=2**62)]


class Strict(BaseModel):
    """Nothing is converted, and nothing is there that is not named."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Letter(Strict):
    """An envelope: a numbered message, or an acknowledgement (number 0, no message)."""

    stream: Number
    to_stream: Number
    number: Number
    heard: Number
    message: Message

    @model_validator(mode="after")
    def _has_message_if_numbered(self) -> Self:
        if (self.number == 0) != (self.message is None):
            raise ValueError("a numbered letter has a message, any other has none")
        return self

    @classmethod
    def of(cls, envelope: Envelope, codec: Codec) -> Self:
        """Return what is sent of an envelope."""
        stream, to_stream, number, heard, message = envelope
        return cls(
            stream=stream,
            to_stream=to_stream,
            number=number,
            heard=heard,
            message=None if message is None else codec.write(message),
        )

    def envelope(self, codec: Codec) -> Envelope:
        """Return the envelope, or raise MessageError."""
        message = None if self.message is None else codec.read(self.message)
        return Envelope(self.stream, self.to_stream, self.number, self.heard, message)


class Parcel(Strict):
    """What a node sends: letters, and what it has done since it began."""

    letters: Annotated[list[Letter], Field(max_length=MAX_ENVELOPES)]
    counts: Annotated[dict[str, Any], WithJsonSchema(schema(Counts))]


Page = Annotated[dict[str, Any] | None, WithJsonSchema(schema(Snapshot | None))]


class Visits(Strict):
    """What a doubtful page looked like at two more visits, null if it could not be gone to."""

    state: Annotated[str, Field(max_length=64)]
    one: Page
    other: Page
    counts: Annotated[dict[str, Any], WithJsonSchema(schema(Counts))]

    @classmethod
    def of(cls, state: str, visits: tuple[Snapshot, Snapshot] | None, counts: Counts) -> Self:
        """Return what is sent of two visits."""
        one, other = (None, None) if visits is None else map(PAGE.write, visits)
        return cls(state=state, one=one, other=other, counts=COUNTS.write(counts))

    @property
    def pages(self) -> tuple[Snapshot, Snapshot] | None:
        """The pages, if both were seen; MessageError if they are none."""
        if self.one is None or self.other is None:
            return None
        return PAGE.read(self.one), PAGE.read(self.other)


class Verdict(Strict):
    """Visits have arrived; all nodes are forgotten if they showed what varies."""

    is_forgotten: bool


class Receipt(Strict):
    """Letters have arrived; so many seconds were spent on them."""

    seconds: float


class Delivery(Strict):
    """What a node is sent: letters, and whether the crawl is over, or paused.

    Doubts are states that it is to go to twice more, first of all.
    """

    letters: list[Letter]
    doubts: list[str]
    is_over: bool
    is_paused: bool


class Membership(Strict):
    """A node's name, which is its secret, and what it has to know about the crawl."""

    name: str
    crawl: dict[str, Any]


class Problem(Strict):
    """Why a request is refused, in one line."""

    error: str

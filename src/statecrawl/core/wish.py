"""What somebody who looks on wants a running crawl to do."""

from enum import StrEnum


class Wish(StrEnum):
    """Asked for through the store, heard between plans."""

    RUN = "run"
    PAUSE = "pause"
    STOP = "stop"

"""Links between documents: each document is opened by one link, the others are held back.

When loading the document's URL gives the state that the link led to, the links held back are
assumed to lead there, too. When it does not, or when the link turns out not to open a document
at all, each of them is explored for itself. When it turns out to be no page, none of them is.
"""

from enum import Enum, auto
from typing import NamedTuple

Pair = tuple[int, int]
"""A state and one of its events."""


class Verdict(NamedTuple):
    """What becomes of links: those to explore, or never to; where others are assumed to lead."""

    explore: tuple[Pair, ...] = ()
    refuse: tuple[Pair, ...] = ()
    assume: tuple[Pair, ...] = ()
    target: int | None = None


NOTHING = Verdict()


class _Stage(Enum):
    FOLLOWED = auto()  # one link is open or under way
    OPENED = auto()  # it led to a document; loading the URL will show whether that is all
    SAME = auto()  # loading gave the same state
    OTHER = auto()  # it did not: every link is explored
    NO_PAGE = auto()  # there is nothing to see


class _Document:
    def __init__(self) -> None:
        self.stage = _Stage.FOLLOWED
        self.held: list[Pair] = []
        self.target: int | None = None


class Links:
    """What is known of the documents that links lead to, by URL."""

    def __init__(self) -> None:
        self._documents: dict[str, _Document] = {}
        self._loaded: dict[str, int] = {}

    def offered(self, url: str, pair: Pair) -> Verdict | None:
        """Say what becomes of a link that a new state offers; None: it is held back."""
        document = self._documents.get(url)
        if document is None:
            self._documents[url] = _Document()
            return Verdict(explore=(pair,))
        if document.stage is _Stage.OTHER:
            return Verdict(explore=(pair,))
        if document.stage is _Stage.NO_PAGE:
            return Verdict(refuse=(pair,))
        if document.stage is _Stage.SAME:
            return Verdict(assume=(pair,), target=document.target)
        document.held.append(pair)
        return None

    def followed(self, url: str, target: int, *, is_document: bool) -> Verdict:
        """Hear where a link led, and whether that was a new document."""
        document = self._documents.get(url)
        if document is None or document.stage is not _Stage.FOLLOWED:
            return NOTHING
        if not is_document:
            return self._explore_all(document)
        document.stage, document.target = _Stage.OPENED, target
        return self._compared(url, document)

    def loaded(self, url: str, target: int) -> Verdict:
        """Hear which state loading a URL gave."""
        self._loaded[url] = target
        document = self._documents.get(url)
        return NOTHING if document is None else self._compared(url, document)

    def failed(self, url: str, *, is_page: bool) -> Verdict:
        """Hear that a link could not be followed, or its URL not be loaded: others are tried.

        Not where there is no page at the URL.
        """
        document = self._documents.get(url)
        if document is None or document.stage not in (_Stage.FOLLOWED, _Stage.OPENED):
            return NOTHING
        if document.stage is _Stage.OPENED:
            return self._explore_all(document)
        if not is_page:
            document.stage = _Stage.NO_PAGE
            held, document.held = tuple(document.held), []
            return Verdict(refuse=held)
        return Verdict(explore=(document.held.pop(0),)) if document.held else NOTHING

    def _compared(self, url: str, document: _Document) -> Verdict:
        if document.stage is not _Stage.OPENED or url not in self._loaded:
            return NOTHING
        if self._loaded[url] != document.target:
            return self._explore_all(document)
        document.stage = _Stage.SAME
        held, document.held = tuple(document.held), []
        return Verdict(assume=held, target=document.target)

    def _explore_all(self, document: _Document) -> Verdict:
        document.stage = _Stage.OTHER
        held, document.held = tuple(document.held), []
        return Verdict(explore=held)


class Unfollowed(Links):
    """No link is followed: each document is explored for itself, and only those given."""

    def offered(self, url: str, pair: Pair) -> Verdict | None:
        """Hold every link back."""
        del url, pair
        return None

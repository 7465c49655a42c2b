"""Links to a document are followed once; where one led says what becomes of the others."""

from collections.abc import Callable, Iterable

from statecrawl.core.agenda import Agenda, Pair
from statecrawl.core.links import Links, Unfollowed, Verdict
from statecrawl.core.model import BLANK, Model
from statecrawl.core.plan import NOT_A_PAGE
from statecrawl.core.snapshot import Event


class Following:
    """Holds back the links of new states that lead where another one leads.

    `assume` is told which links may be taken to lead to a state, `refuse` which lead to no page.
    Without `is_once` every link is an event like any other.
    """

    def __init__(
        self,
        model: Model,
        agenda: Agenda,
        assume: Callable[[Pair, int], None],
        refuse: Callable[[Pair, str], None],
        *,
        is_once: bool,
    ) -> None:
        self._model = model
        self._agenda = agenda
        self._assume = assume
        self._refuse = refuse
        self._links: Links | None = Links() if is_once else None
        self._urls: dict[Pair, str] = {}

    @property
    def has_left_out(self) -> bool:
        """Tell whether there are links that are never followed."""
        return isinstance(self._links, Unfollowed) and bool(self._urls)

    def stay(self) -> None:
        """Follow no link from now on."""
        self._links = Unfollowed()

    def url(self, pair: Pair) -> str:
        """Return the document that a link leads to, "" for other events."""
        return self._urls.get(pair, "")

    def offer(self, state: int, events: Iterable[Event]) -> None:
        """Hold back the links of a new state that lead where another one leads."""
        if self._links is None:
            return
        for event in events:
            if not event.url:
                continue
            pair = (state, self._model.event(event.identity))
            self._urls[pair] = event.url
            verdict = self._links.offered(event.url, pair)
            if verdict is None:
                self._agenda.close(*pair)
            else:
                self._judge(verdict)

    def led(self, pair: Pair, target: int, *, is_document: bool) -> None:
        """Draw from where a link or a load led what becomes of other links to the document."""
        if self._links is None:
            return
        source, event = pair
        if source == BLANK:
            self._judge(self._links.loaded(self._model.entries[event], target))
        elif url := self._urls.get(pair):
            self._judge(self._links.followed(url, target, is_document=is_document))

    def failed(self, pair: Pair, reason: str) -> None:
        """Let another link to the same document be tried, unless it is none."""
        url = self._model.entries.get(pair[1]) if pair[0] == BLANK else self._urls.get(pair)
        if url and self._links is not None:
            self._judge(self._links.failed(url, is_page=reason != NOT_A_PAGE))

    def _judge(self, verdict: Verdict) -> None:
        """Open links that have to be explored; take it that others lead to a state, or to none."""
        for pair in verdict.explore:
            if not self._agenda.is_decided(pair):
                self._agenda.open(*pair)
        for pair in verdict.refuse:
            if not self._agenda.is_decided(pair):
                self._refuse(pair, NOT_A_PAGE)
        for pair in verdict.assume:
            if verdict.target is not None and not self._agenda.is_decided(pair):
                self._agenda.close(*pair)
                self._assume(pair, verdict.target)

"""Pictures of a crawl that many machines made, taken on this one when it is over."""

from collections.abc import Callable
from dataclasses import replace

from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.compose.choices import remind, state_identity
from statecrawl.compose.engine import bounds_of, chromium_for
from statecrawl.config import CrawlOptions
from statecrawl.core.ports import Store
from statecrawl.core.session import Crawl
from statecrawl.core.stopping import StopReason
from statecrawl.runtimes.photographer import Photographer
from statecrawl.strategies.greedy import Greedy

IN_A_HURRY = (StopReason.INTERRUPTED, StopReason.MAX_SECONDS, StopReason.APPLICATION_LOST)
"""After crawls that ended so, nobody waits for pictures."""


class Pictures:
    """Goes to every state that has no picture and takes one, until somebody says stop."""

    def __init__(self, store: Store, launch: LaunchOptions, tell: Callable[[str], None]) -> None:
        self.is_stopping = False
        self._store = store
        self._launch = launch
        self._tell = tell

    def stop(self, reason: StopReason = StopReason.INTERRUPTED) -> None:
        """End with the picture that is being taken."""
        del reason
        self.is_stopping = True

    async def take(self) -> None:
        """Take them all."""
        about = self._store.about
        options = CrawlOptions.from_json(about["options"])
        identity = state_identity(options.equivalence)
        remind(identity, self._store)
        crawl = Crawl(about["entries"], Greedy, identity, about["reset_cost"], follows_once=False)
        crawl.recall(self._store.facts())
        bounds = bounds_of(options, about["starts"])
        clock = int(about["clock"])
        async with chromium_for(self._launch, options, clock, bounds, {}) as chromium:
            chromium.settings = replace(chromium.settings, scope=bounds.scope)
            workshop = BrowserWorkshop(chromium, identity, warm_pages=1)
            workshop.mask(identity.masks)
            photographer = Photographer(workshop, self._store, lambda: crawl)
            photographer.is_alone = True
            while not self.is_stopping and await photographer.take_next(0):
                self._tell(
                    f"pictures of {photographer.done:,} of {crawl.model.state_count:,} states"
                )
            await photographer.close()

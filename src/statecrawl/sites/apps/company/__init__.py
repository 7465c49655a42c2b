"""TestRIA, written with a listener on each link that a page has when it is drawn."""

from statecrawl.sites.apps.app import App
from statecrawl.sites.apps.prose import sentences
from statecrawl.sites.models.company import Offer


def company(*, products: int, services: int, articles: int) -> App:
    """Return a site that knows its lists from the start, and asks for texts."""
    offer = Offer.of(products, services, articles)
    return App(
        {
            "/offer": lambda _: offer._asdict(),
            "/text": lambda query: {"text": sentences(query["of"], 3)},
        }
    )

"""TestRIA: the site of a company, as most companies have one."""

from itertools import pairwise
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import explore
from statecrawl.sites.models.linked import Linked, Links
from statecrawl.sites.models.parameters import Range, ResetCost
from statecrawl.sites.models.words import nth

_MENU = ("home", "products", "services", "news", "about", "jobs", "contact", "imprint")
_PRODUCTS = ("pump", "valve", "filter", "boiler", "meter", "gauge")
_SERVICES = ("repair", "advice", "training", "rental")
_ARTICLES = ("fair", "award", "opening", "merger", "jubilee")


def company(
    *,
    products: Annotated[int, Range(1, 1_000)] = 4,
    services: Annotated[int, Range(1, 1_000)] = 3,
    articles: Annotated[int, Range(1, 1_000)] = 3,
    reset_cost: ResetCost = 2,
) -> Application:
    """A company's site: products, services with a quote in a popup, news, contact."""
    menu = {f"menu:{area}": area for area in _MENU}
    offer = Offer.of(products, services, articles)
    links: dict[str, Links] = {
        **_product_links(offer.products),
        **_service_links(offer.services),
        **_news_links(offer.articles),
        **_OTHER_LINKS,
    }
    return explore(Linked("home", dict.fromkeys(_MENU, menu), links), reset_cost)


class Offer(NamedTuple):
    """What the company sells, what it does, and what it has to say."""

    products: list[str]
    services: list[str]
    articles: list[str]

    @classmethod
    def of(cls, products: int, services: int, articles: int) -> "Offer":
        """Return an offer of so many of each."""
        return cls(
            [nth(_PRODUCTS, i) for i in range(products)],
            [nth(_SERVICES, i) for i in range(services)],
            [nth(_ARTICLES, i) for i in range(articles)],
        )


def _product_links(names: list[str]) -> dict[str, Links]:
    """Return a list of products, and for each its data, its pictures and the next product."""
    links: dict[str, Links] = {
        "products": {f"product:{name}": f"products/{name}" for name in names}
    }
    for name, following in zip(names, names[1:] + names[:1], strict=True):
        page = f"products/{name}"
        links[page] = {
            "more:data": f"{page}/data",
            "more:pictures": f"{page}/pictures",
            "more:next": f"products/{following}",
        }
        links[f"{page}/data"] = links[f"{page}/pictures"] = {"more:back": page}
    return links


def _service_links(names: list[str]) -> dict[str, Links]:
    """Return a list of services, and for each a popup that asks for a quote in three steps."""
    links: dict[str, Links] = {
        "services": {f"service:{name}": f"services/{name}" for name in names}
    }
    for name in names:
        page, popup = f"services/{name}", f"quote/{name}"
        wishes, address, thanks = f"{popup}/wishes", f"{popup}/address", f"{popup}/thanks"
        links[page] = {"quote:ask": wishes}
        links[wishes] = {"quote:next": address, "quote:cancel": page}
        links[address] = {"quote:next": thanks, "quote:back": wishes, "quote:cancel": page}
        links[thanks] = {"quote:close": page}
    return links


def _news_links(names: list[str]) -> dict[str, Links]:
    """Return a list of articles, and a way from each to the next older one."""
    links: dict[str, Links] = {"news": {f"article:{name}": f"news/{name}" for name in names}}
    for name, older in pairwise(names):
        links[f"news/{name}"] = {"article:older": f"news/{older}"}
    return links


_OTHER_LINKS: dict[str, Links] = {
    "about": {"about:history": "about/history", "about:team": "about/team"},
    "contact": {"contact:send": "contact/sent", "contact:map": "contact/map"},
    "contact/map": {"contact:back": "contact"},
}

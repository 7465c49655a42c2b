"""A shop that does what pages of today do, and nothing that would harm a crawler."""

from itertools import pairwise
from typing import Annotated

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import explore
from statecrawl.sites.models.linked import Linked, Links
from statecrawl.sites.models.parameters import Range, ResetCost

PRODUCTS = ("pump", "valve", "filter")
GOODS = ("amber lamp", "birch table", "cedar shelf")
SEARCHES = ("amber", "birch")
"""What is searched for: what the field itself suggests."""
REMINDER_MS = 8_000

_DOCUMENTS = (
    "home", "catalogue", "guide", "feed", "live", "parts", "contact", "order", "search", "offers",
)  # fmt: skip
"""Documents that the menu leads to."""
_DETOURS = {"moved": "catalogue", "refreshed": "guide"}
"""Links of the menu that lead to another document, by a redirect and by a refresh."""
_LINKED_ONLY = ("deal", "terms")


def modern(
    *, batches: Annotated[int, Range(1, 1_000)] = 3, reset_cost: ResetCost = 2
) -> Application:
    """A shop with routes, dialogs, forms, streams, frames and shadow roots in many documents."""
    menu = {f"go:{name}": _state(name) for name in _DOCUMENTS} | {
        f"go:{name}": _state(target) for name, target in _DETOURS.items()
    }
    links = {
        **_choices("home", {"home:ask": "confirmed", "home:greet": "greeted"}),
        **_choices("guide", {"guide:start": "", "guide:install": "install", "guide:use": "use"}),
        **_choices(
            "live", {f"live:{name}": name for name in ("fetch", "socket", "events", "lazy")}
        ),
        **_choices("contact", {"contact:send": "refused", "fill contact": "sent"}),
        **_catalogue_links(),
        **_feed_links(batches),
        **_parts_links(),
        **_search_links(),
        _state("order"): {"order:send": _state("order"), "fill order": _state("ordered")},
        _state("offers"): {f"timeout {REMINDER_MS} ms": _state("offers", "reminded")},
    }
    for name in ("home", "home/confirmed", "home/greeted"):
        # The terms open in a window of their own; this one stays as it is.
        links[_state(name)] = {**links[_state(name)], "home:terms": _state(name)}
    entries = (*_DOCUMENTS, *_LINKED_ONLY, *(f"catalogue/{name}" for name in PRODUCTS))
    site = Linked(_state("home"), {"shop": menu}, links)
    return explore(site, reset_cost, [_state(name) for name in entries])


def _state(page: str, part: str = "") -> str:
    """Return the name of a state: the shop's menu, a document, and what its script shows."""
    return f"shop/{page}/{part}".removesuffix("/")


def _choices(page: str, events: Links) -> dict[str, Links]:
    """Return a document whose controls each show something, in place of what was shown."""
    chosen = {event: _state(page, part) for event, part in events.items()}
    return dict.fromkeys((_state(page), *chosen.values()), chosen)


def _catalogue_links() -> dict[str, Links]:
    """Return a list of products; one product is shown beside it, under a URL of its own."""
    events = {f"product:{name}": _state("catalogue", name) for name in PRODUCTS}
    close = {"product:close": _state("catalogue")}
    return {
        _state("catalogue"): events,
        **{_state("catalogue", name): {**events, **close} for name in PRODUCTS},
    }


def _feed_links(batches: int) -> dict[str, Links]:
    """Return a list that has one more batch each time its end is seen, up to the last."""
    shown = [_state("feed"), *(_state("feed", f"{i} batches") for i in range(2, batches + 1))]
    return {state: {"feed:scroll": target} for state, target in pairwise(shown)}


def _parts_links() -> dict[str, Links]:
    """Return a frame and a shadow root, each with a switch in it."""
    names = {0: "", 1: "frame", 2: "shadow", 3: "frame and shadow"}
    return {
        _state("parts", name): {
            "parts:frame": _state("parts", names[switched ^ 1]),
            "parts:shadow": _state("parts", names[switched ^ 2]),
        }
        for switched, name in names.items()
    }


def _search_links() -> dict[str, Links]:
    """Return a field that filters; what stands in it can't be typed again."""
    found = {word: _state("search", word) for word in SEARCHES}
    links: dict[str, Links] = {
        state: {f"search:field={word}": target for word, target in found.items() if target != state}
        for state in (_state("search"), *found.values())
    }
    amber = found["amber"]
    return {**links, amber: {**links[amber], "search:deal": _state("deal")}}

"""The served applications: for each a folder with its page, its scripts and its data."""

from collections.abc import Callable

from starlette.types import ASGIApp

from statecrawl.errors import InputError
from statecrawl.sites.apps.app import App
from statecrawl.sites.apps.bank import bank
from statecrawl.sites.apps.bibliography import bibliography
from statecrawl.sites.apps.clips import clips
from statecrawl.sites.apps.company import company
from statecrawl.sites.apps.files import files
from statecrawl.sites.apps.filetree import filetree
from statecrawl.sites.apps.hostile import hostile
from statecrawl.sites.apps.hypercube import hypercube
from statecrawl.sites.apps.modern import modern
from statecrawl.sites.apps.periodic import periodic
from statecrawl.sites.apps.sections import sections
from statecrawl.sites.apps.videos import videos
from statecrawl.sites.apps.widgets import widgets
from statecrawl.sites.models import read_spec

APPS: dict[str, Callable[..., App]] = {
    "hypercube": hypercube,
    "filetree": filetree,
    "periodic": periodic,
    "bibliography": bibliography,
    "files": files,
    "clips": clips,
    "bank": bank,
    "company": company,
    "videos": videos,
    "modern": modern,
    "widgets": widgets,
    "sections": sections,
}
"""Each takes the parameters of its model, apart from the cost of reset, which just happens."""

WILD: dict[str, Callable[[], ASGIApp]] = {"hostile": hostile}
"""Applications that no model is true of; each answers every request itself."""


def build_wild(spec: str) -> ASGIApp | None:
    """Return the application without a model that is asked for, if it is one of these."""
    name, _, settings = spec.partition(":")
    if name not in WILD:
        return None
    if settings:
        raise InputError(f"{name} has no parameters: give {name} alone")
    return WILD[name]()


def build_app(spec: str) -> tuple[str, App]:
    """Return the application that `NAME[:key=value,...]` asks for, with its name."""
    asked = spec.partition(":")[0]
    if asked not in APPS:
        sites = ", ".join([*APPS, *WILD])
        raise InputError(f"there is no site {asked[:40]!r}: give one of {sites}")
    name, values = read_spec(spec)
    del values["reset_cost"]
    return name, APPS[name](**values)

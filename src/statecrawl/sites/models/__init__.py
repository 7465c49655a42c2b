"""The true models of the built-in applications, by name."""

from typing import NamedTuple

from statecrawl.core.application import Application
from statecrawl.errors import InputError
from statecrawl.sites.models.bank import bank
from statecrawl.sites.models.bibliography import bibliography
from statecrawl.sites.models.clips import clips
from statecrawl.sites.models.company import company
from statecrawl.sites.models.files import files
from statecrawl.sites.models.filetree import filetree
from statecrawl.sites.models.hypercube import hypercube
from statecrawl.sites.models.modern import modern
from statecrawl.sites.models.parameters import Model, Parameter, parameters_of
from statecrawl.sites.models.periodic import periodic
from statecrawl.sites.models.sections import sections
from statecrawl.sites.models.videos import videos
from statecrawl.sites.models.widgets import widgets

MODELS: dict[str, Model] = {
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

UNMODELLED = {
    "hostile": "Pages that each try to break a crawler in one way, on a server that counts.",
}
"""Applications that are served but have no true model, each with what a listing says of it."""

LARGE_FILETREE = "filetree:folders=4620,top=30,branching=13,files=2,reset_cost=12"
"""As large as the file browser that the distributed crawlers were measured on, to 1 %."""

LARGE_BIBLIOGRAPHY = "bibliography:publications=415,authors=45,topics=16,per_page=50,reset_cost=3"
"""As large as the bibliography that the distributed crawlers were measured on, to 1 %."""


class Description(NamedTuple):
    """What a listing says of an application."""

    name: str
    summary: str
    parameters: dict[str, Parameter]


def describe(name: str) -> Description:
    """Return the first line of a model's documentation, and its parameters."""
    if name in UNMODELLED:
        return Description(name, UNMODELLED[name], {})
    model = _model(name)
    summary = (model.__doc__ or "").partition("\n")[0]
    return Description(name, summary, parameters_of(model))


def build_model(spec: str) -> Application:
    """Return the model that `NAME[:key=value,...]` asks for, or say in one line what is wrong."""
    name, values = read_spec(spec)
    return MODELS[name](**values)


def read_spec(spec: str) -> tuple[str, dict[str, float]]:
    """Return the name in `NAME[:key=value,...]`, and all parameters, given or by default."""
    name, _, settings = spec.partition(":")
    model = _model(name)
    known = parameters_of(model)
    values: dict[str, float] = {}
    for setting in settings.split(",") if settings else ():
        key, _, text = setting.partition("=")
        if key not in known:
            raise InputError(
                f"{name} has no parameter {key[:40]!r}: it takes {', '.join(known)}, "
                f"as in {name}:{next(iter(known))}={next(iter(known.values())).default}"
            )
        if key in values:
            raise InputError(f"{key} is given twice: give it once")
        values[key] = known[key].read(text)
    return name, {key: parameter.default for key, parameter in known.items()} | values


def _model(name: str) -> Model:
    if name in UNMODELLED:
        raise InputError(
            f"{name} has no true model: it can only be served (statecrawl sites serve {name})"
        )
    if name not in MODELS:
        raise InputError(f"there is no model {name[:40]!r}: give one of {', '.join(MODELS)}")
    return MODELS[name]

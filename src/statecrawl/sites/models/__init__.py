"""The true models of the built-in applications, by name."""

from statecrawl.core.application import Application
from statecrawl.errors import InputError
from statecrawl.sites.models.bibliography import bibliography
from statecrawl.sites.models.clips import clips
from statecrawl.sites.models.files import files
from statecrawl.sites.models.filetree import filetree
from statecrawl.sites.models.hypercube import hypercube
from statecrawl.sites.models.parameters import Model, parameters_of
from statecrawl.sites.models.periodic import periodic

MODELS: dict[str, Model] = {
    "hypercube": hypercube,
    "filetree": filetree,
    "periodic": periodic,
    "bibliography": bibliography,
    "files": files,
    "clips": clips,
}


def build_model(spec: str) -> Application:
    """Return the model that `NAME[:key=value,...]` names, or say in one line what is wrong."""
    name, _, settings = spec.partition(":")
    if name not in MODELS:
        raise InputError(f"unknown model {name[:40]!r}: give one of {', '.join(MODELS)}")
    known = parameters_of(MODELS[name])
    values = {}
    for setting in filter(None, settings.split(",")):
        key, _, text = setting.partition("=")
        if key not in known:
            raise InputError(
                f"{name} has no parameter {key[:40]!r}: give one of {', '.join(known)}"
            )
        values[key] = known[key].read(text)
    return MODELS[name](**values)

"""How a text asks for a model, and what a wrong one is told."""

from inspect import signature

import pytest

from statecrawl.core.application import MAX_TRANSITIONS
from statecrawl.errors import InputError
from statecrawl.sites.models import MODELS, build_model, describe
from statecrawl.sites.models.parameters import parameters_of


def test_defaults() -> None:
    assert len(build_model("hypercube").states) == 1_024
    assert build_model("company:").to_json() == build_model("company").to_json()


def test_parameters() -> None:
    application = build_model("hypercube:dimensions=4,reset_cost=2.5")
    assert len(application.states) == 16
    assert application.reset_cost == 2.5


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "there is no model ''"),
        ("hypercub", "hypercube, filetree, periodic, bibliography, files, clips, bank, company"),
        ("nine\nlives", r"there is no model 'nine\\nlives'"),
        ("hypercube:size=3", "no parameter 'size': it takes dimensions, reset_cost"),
        ("hypercube:dimensions=3,", "no parameter ''"),
        ("hypercube:dimensions=3,dimensions=4", "dimensions is given twice"),
        ("hypercube:dimensions=ten", "dimensions='ten' is not a whole number"),
        ("hypercube:dimensions=2.5", "dimensions='2.5' is not a whole number"),
        ("hypercube:dimensions", "dimensions='' is not a whole number"),
        ("hypercube:dimensions=40", "dimensions=40 is out of range: give a number from 1 to 16"),
        ("hypercube:dimensions=0", "out of range"),
        ("hypercube:dimensions=" + "9" * 5_000, "not a whole number"),
        ("hypercube:reset_cost=-1", "out of range"),
        ("hypercube:reset_cost=nan", "reset_cost='nan' is not a number"),
        ("hypercube:reset_cost=inf", "reset_cost='inf' is not a number"),
        ("bank:reset_cost=cheap", "reset_cost='cheap' is not a number"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        build_model(spec)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", MODELS)
def test_every_parameter_can_be_described(name: str) -> None:
    description = describe(name)
    assert description.name == name
    assert description.summary.endswith(".")
    assert list(description.parameters) == list(signature(MODELS[name]).parameters)
    for parameter in description.parameters.values():
        assert parameter.range.least <= parameter.default <= parameter.range.most


@pytest.mark.parametrize("name", MODELS)
def test_smallest(name: str) -> None:
    least = {key: given.range.least for key, given in parameters_of(MODELS[name]).items()}
    application = MODELS[name](**least)
    assert 0 < application.transition_count < MAX_TRANSITIONS
    assert application.reset_cost == 0


@pytest.mark.parametrize("name", MODELS)
def test_grows_with_its_first_parameter(name: str) -> None:
    size, given = next(iter(parameters_of(MODELS[name]).items()))
    larger = MODELS[name](**{size: given.default + 1})
    assert len(larger.states) > len(MODELS[name]().states)

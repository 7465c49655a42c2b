"""When two pages are one state: one file for each answer, by the name users give it."""

from statecrawl.core.identity import Equivalence
from statecrawl.equivalences.content import content
from statecrawl.equivalences.exact import exact
from statecrawl.equivalences.structure import structure

EQUIVALENCES: dict[str, Equivalence] = {
    "exact": exact,
    "content": content,
    "structure": structure,
}
DEFAULT_EQUIVALENCE = "exact"

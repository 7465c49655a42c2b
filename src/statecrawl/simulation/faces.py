"""Applications whose states have several faces: near-duplicates, to be told from other states."""

from dataclasses import replace
from functools import cache
from random import Random

from statecrawl.core.application import Application
from statecrawl.core.dom import Element
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.resemblance import NearEquivalence, Page
from statecrawl.core.snapshot import Snapshot
from statecrawl.equivalences import near_equivalence
from statecrawl.simulation.browser import SimulatedBrowser

WORDS = 12
NEAR: NearEquivalence = near_equivalence("broder:threshold=0.5,size=1,unit=words")


def true_state(page: str) -> str:
    """Return the state that a page is a face of."""
    return page.partition("#")[0]


class FaceIdentity:
    """What a crawler was told about pages; a page is named by its state and its face."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def __call__(self, snapshot: Snapshot) -> str:
        """Return the state that a page is; its own name while nobody has told."""
        return self._told.get(snapshot.dom, snapshot.dom)

    def question(self, snapshot: Snapshot) -> tuple[str, tuple[int, ...], tuple[str, ...]] | None:
        """Return name, features and group of a page; None: it is known which state it is."""
        if snapshot.dom in self._told:
            return None
        return snapshot.dom, _features(snapshot.dom), ()

    def tell(self, page: str, representative: str) -> None:
        """Hear which state a page is."""
        self._told[page] = representative


@cache
def _features(page: str) -> tuple[int, ...]:
    """Return what a page is compared by: words of its state, and one of its face."""
    state = true_state(page)
    text = " ".join([*(f"{state}w{number}" for number in range(WORDS)), page.replace("#", "f")])
    root = Element("p", {}, [text])
    return tuple(map(int, NEAR.resemblance.features(Page(root))))


class FacedBrowser(SimulatedBrowser):
    """A tab in which every visit to a state may show another face of it."""

    def __init__(
        self, application: Application, random: Random, identity: FaceIdentity, faces: int
    ) -> None:
        super().__init__(application, random)
        self._identity = identity
        self._faces = faces

    def run(self, plan: Plan) -> Execution:
        """Execute the plan; stop at a page that is not known to be the state expected."""
        snapshots: list[Snapshot] = []
        loads = [] if plan.entry is None else [(Plan(plan.entry, None, ()), plan.expected_entry)]
        steps = [(Plan(None, None, (step._replace(expected=None),)), step.expected)
                 for step in plan.steps]  # fmt: skip
        for part, expected in (*loads, *steps):
            execution = super().run(part)
            if execution.halt is not Halt.DONE:
                return Execution(tuple(snapshots), execution.halt)
            shown = execution.snapshots[-1]
            face = f"{shown.dom}#{self._random.randrange(self._faces)}"
            snapshots.append(replace(shown, dom=face))
            if expected is not None and self._identity(snapshots[-1]) != expected:
                return Execution(tuple(snapshots), Halt.DIVERGED)
        return Execution(tuple(snapshots))

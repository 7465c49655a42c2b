"""Near-duplicates: how fast, and how good beside figures of others.

python -m benchmarks.near_duplicates speed               # fingerprints and lookups
python -m benchmarks.near_duplicates petclinic FOLDER    # F1 on pairs of a labelled set
python -m benchmarks.near_duplicates hashes FOLDER       # how much depends on the hash alone
python -m benchmarks.near_duplicates sites               # crawls of built-in sites, labelled here

FOLDER holds `gs/gsResults.json` and `doms/`; how the sites are labelled: functional_pages.py.
"""

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.functional_pages import ASIDE, SITES
from statecrawl.compose.near import read_page
from statecrawl.config import RunOptions
from statecrawl.core.classes import classes
from statecrawl.core.dom import Element, visible_text
from statecrawl.core.resemblance import Features, NearEquivalence, Page, Resemblance
from statecrawl.equivalences import DEFAULT_CLASSES, near_equivalence
from statecrawl.equivalences.crawlhash import Crawlhash, fingerprint
from statecrawl.equivalences.hashing import mixed
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl

CHARACTERS = 50_000
PAGES = 100
STATES = 100_000
LOOKUPS = 2_000
HASHES = 100
SPECS = ("blend", "crawlhash", "crawlhash:bits=32", "broder", "buckets", "blend:text=0.3")
LOOKED_UP = (
    "blend",
    "blend:threshold=0.02",
    "broder:unit=places,size=1,threshold=0.1",
    "crawlhash:threshold=3",
    "crawlhash:threshold=7",
    "crawlhash:threshold=12",
    "buckets:threshold=2",
)
REFERENCE = {
    "crawlhash:of=dom,strip=none,bits=32": 0.597,
    "crawlhash:of=dom,strip=none": 0.704,
    "broder:of=dom,strip=none": 0.769,
    "broder": 0.856,
    "broder:unit=places": 0.937,
    "broder:unit=places,size=1": 1.000,
}
"""Figures that came with the PetClinic set: the same features, at the best threshold."""

FIXED = ("crawlhash", "buckets")
"""Those whose features are as many numbers for every page, and no set."""

Booleans = NDArray[np.bool_]


def random_page(chance: random.Random, words: Sequence[str], characters: int) -> Page:
    """Return a page of so much text, in paragraphs of sixty words."""
    rows: list[Element | str] = []
    written = 0
    while written < characters:
        text = " ".join(chance.choices(words, k=60))
        written += len(text)
        rows.append(Element("p", {"class": f"c{chance.randrange(9)}"}, [text]))
    body = Element("body", {}, [Element("div", {"class": "content"}, rows)])
    return Page(Element("html", {}, [body]))


def speed() -> None:
    """Print fingerprints a second, and how long it takes to look one up."""
    chance = random.Random(1)  # noqa: S311 - no secrets
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(5000)]
    pages = [random_page(chance, words, CHARACTERS) for _ in range(PAGES)]
    print(f"fingerprints of {CHARACTERS:,} characters, a second on one core (best of 5):")
    for spec in SPECS:
        features = near_equivalence(spec).resemblance.features
        print(f"  {spec:24} {PAGES / min(_seconds(features, pages) for _ in range(5)):8,.0f}")
    print(f"lookup of the nearest among {STATES:,} states, milliseconds on average:")
    for spec in LOOKED_UP:
        look_up(near_equivalence(spec), chance)


def look_up(near: NearEquivalence, chance: random.Random) -> None:
    """Print how long it takes to find the nearest, half of them known and half nearly so."""
    known = list(_states(near.resemblance, chance))
    some = chance.sample(known, LOOKUPS)
    asked = [
        each if n % 2 else _changed(each, near.resemblance, chance) for n, each in enumerate(some)
    ]
    index = near.resemblance.index(near.threshold)
    adding = _seconds(lambda pair: index.add(*pair), list(enumerate(known)))
    taken = _seconds(index.nearest, asked)
    found = sum(index.nearest(each) is not None for each in asked)
    print(
        f"  {near.name:60} {taken / LOOKUPS * 1000:7.3f} ({found:,} of {LOOKUPS:,} found; "
        f"{adding / STATES * 1000:.3f} to add one)"
    )


Thing = TypeVar("Thing")


def _seconds(work: Callable[[Thing], object], things: Sequence[Thing]) -> float:
    """Return how long it took by the clock on the wall: nothing else should be at work."""
    began = perf_counter()
    for thing in things:
        work(thing)
    return perf_counter() - began


def _states(made: Resemblance, chance: random.Random) -> Iterator[Features]:
    """Yield features as an application of a hundred templates with parts of their own has them."""
    chooser = np.random.default_rng(chance.randrange(2**32))
    if made.name.startswith(FIXED):
        width = 1 if made.name.startswith("crawlhash") else 16
        yield from chooser.integers(0, 2**63, size=(STATES, width), dtype=np.uint64)
        return
    limit = np.uint64(2**62 - 1)
    templates = [chooser.integers(0, 2**63, 120, dtype=np.uint64) & limit for _ in range(100)]
    for number in range(STATES):
        own = chooser.integers(0, 2**63, 30, dtype=np.uint64) & limit
        yield np.sort(np.concatenate((templates[number % 100], own)))


def _changed(features: Features, made: Resemblance, chance: random.Random) -> Features:
    """Return features of a page that is nearly the same: one bit, element or bucket is another."""
    again = features.copy()
    at = chance.randrange(len(again))
    again[at] ^= np.uint64(1 << chance.randrange(62))
    return again if made.name.startswith(FIXED) else np.sort(again)


@dataclass(frozen=True)
class Labelled:
    """Pages in the order of discovery, and which functional page each is."""

    pages: Mapping[str, Page]
    bins: Mapping[str, object]

    @property
    def same(self) -> Booleans:
        """For every pair, whether people call it a near-duplicate."""
        bins = list(self.bins.values())
        one, other = np.tril_indices(len(bins), -1)
        return np.array([bins[a] == bins[b] for a, b in zip(one, other, strict=True)])

    def distances(self, made: Resemblance) -> NDArray[np.float64]:
        """Return the distance of every pair."""
        found = [made.features(self.pages[state]) for state in self.bins]
        return np.concatenate(
            [made.distances(each, found[:number]) for number, each in enumerate(found)]
        )

    def errors(self, near: NearEquivalence) -> tuple[int, int]:
        """Return how many functional pages a crawl would miss, and how many have twice."""
        features = {state: near.resemblance.features(self.pages[state]) for state in self.bins}
        kept = [self.bins[state] for state in classes(near, features).members]
        return len(set(self.bins.values())) - len(set(kept)), len(kept) - len(set(kept))


def f1(near: Booleans, same: Booleans) -> float:
    """Return the harmonic mean of precision and recall on pairs."""
    return float(2 * (near & same).sum() / max(1, near.sum() + same.sum()))


def best(distances: NDArray[np.float64], same: Booleans) -> tuple[float, float]:
    """Return the best F1 over all thresholds, and the threshold."""
    found = [(f1(distances <= threshold, same), -threshold) for threshold in np.unique(distances)]
    score, threshold = max(found)
    return score, -float(threshold)


def _petclinic(folder: Path) -> Labelled:
    said = json.loads((folder / "gs" / "gsResults.json").read_text())["states"]
    bins = {name: state["bin"] for name, state in said.items()}
    return Labelled({name: read_page(folder / "doms" / f"{name}.html") for name in bins}, bins)


def petclinic(folder: Path) -> None:
    """Print F1 on pairs beside the figures that came with the set, and that of the default."""
    labelled = _petclinic(folder)
    same = labelled.same
    print(f"{len(labelled.bins)} pages, {len(same):,} pairs, {same.mean():.1%} near-duplicates")
    for spec, given in REFERENCE.items():
        score, threshold = best(labelled.distances(near_equivalence(spec).resemblance), same)
        print(f"  {spec:40} {score:.3f} at {threshold:.3g} (with the set: {given:.3f})")
    for spec in ("buckets", "broder:strip=scripts+styles+head+dates+numbers", DEFAULT_CLASSES):
        near = near_equivalence(spec)
        distances = labelled.distances(near.resemblance)
        score, threshold = best(distances, same)
        own = f1(distances <= near.threshold, same)
        print(f"  {spec:40} {score:.3f} at {threshold:.3g}; {own:.3f} at {near.threshold:g}, "
              "its default")  # fmt: skip


def hashes(folder: Path) -> None:
    """Print what 64 bits of simhash come to on PetClinic with other hashes of the same shingles."""
    labelled = _petclinic(folder)
    made = Crawlhash(of="dom", strip=())
    shingles = [made.shingles(labelled.pages[state]) for state in labelled.bins]
    found = []
    for seed in mixed(np.arange(1, HASHES + 1, dtype=np.uint64)):
        prints = [fingerprint(mixed(each ^ seed), 64) for each in shingles]
        distances = [made.distances(each, prints[:number]) for number, each in enumerate(prints)]
        found.append(best(np.concatenate(distances), labelled.same)[0])
    least, low, middle, high, most = np.percentile(found, [0, 5, 50, 95, 100])
    print(
        f"{HASHES} hashes: F1 {np.mean(found):.3f} on average, {middle:.3f} in the middle, from "
        f"{least:.3f} to {most:.3f}, nine in ten from {low:.3f} to {high:.3f}"
    )


CANDIDATES = (
    "blend", "blend:structure=1,controls=0", "blend:structure=0.6,controls=0.3,text=0.1",
    "broder", "crawlhash",
)  # fmt: skip
THRESHOLDS = (0.0, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6)


async def crawled(spec: str, bins: Callable[[Page, str], object]) -> Labelled:
    """Crawl a site and label its states."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "crawl"
        async with serve(spec) as url:
            await crawl(url, out, RunOptions(out=out, screenshots=False))
        with SqliteStore.open(out, read_only=True) as store:
            pages = {state: Page.of(page, store.masks) for state, page in store.doms()}
    return Labelled(pages, {s: bins(p, visible_text(p.root)) for s, p in pages.items()})


def sites() -> None:
    """Print F1, missed and duplicate states on built-in sites, and on the one kept aside."""
    found = {spec: asyncio.run(crawled(spec, bins)) for spec, bins in {**SITES, **ASIDE}.items()}
    for spec, labelled in found.items():
        print(f"{spec}: {len(labelled.bins)} states, {len(set(labelled.bins.values()))} pages")
    for spec in CANDIDATES:
        near = near_equivalence(spec)
        for share in THRESHOLDS:
            here = near.at(share * near.resemblance.farthest)
            row = [_row(found[site], here) for site in found]
            missed, twice = (sum(each[n] for each in row[: len(SITES)]) for n in (1, 2))
            mean = sum(each[0] for each in row[: len(SITES)]) / len(SITES)
            aside = f"F1 {row[-1][0]:.3f}, missed {row[-1][1]}, duplicate {row[-1][2]}"
            print(
                f"  {here.name:66} F1 {mean:.3f}, missed {missed:2}, duplicate {twice:3}; "
                f"aside: {aside}"
            )


def _row(labelled: Labelled, near: NearEquivalence) -> tuple[float, int, int]:
    distances = labelled.distances(near.resemblance)
    return f1(distances <= near.threshold, labelled.same), *labelled.errors(near)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["speed"]:
            speed()
        case ["petclinic", folder]:
            petclinic(Path(folder))
        case ["hashes", folder]:
            hashes(Path(folder))
        case ["sites"]:
            sites()
        case _:
            sys.exit(__doc__)

"""Appends facts to the crawl in a folder until it is killed; says after each what is safe."""

import sys
from itertools import islice
from pathlib import Path
from random import Random

from statecrawl.core.counts import Counts
from statecrawl.storage import SqliteStore
from tests.storage.recording import endless


def main(folder: str, seed: int) -> None:
    with SqliteStore.open(Path(folder)) as store:
        begin = store.counts.events
        for number, facts in enumerate(islice(endless(Random(seed)), begin, None), begin + 1):
            store.append(facts, Counts(events=number))
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

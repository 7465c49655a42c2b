"""A list of sites to crawl for a calibration, and the tasks that it makes.

equivalences = ["exact", "broder:threshold=0.2"]

[common]              # for all sites
max_states = 200

[[sites]]
url = "http://shop.test/"
labels = "crawls/shop"  # the labelled crawl to compare with
max_states = 50         # for this site

[[sites]]
site = "bank:accounts=3"  # a built-in application, served by whoever crawls it
"""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from statecrawl.errors import InputError

MAX_BYTES = 1_000_000
WHERE = ("url", "site")
OWN = (*WHERE, "name", "labels")
"""What is said of a site that is no setting of its crawl."""


def read_sites(file: Path, known: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the tasks that a list makes, by name: each site with each equivalence."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise InputError(f"{file} has more than {MAX_BYTES:,} bytes: that can't be a list")
        listed = tomllib.loads(raw.decode())
    except OSError as error:
        raise InputError(f"can't read {str(file)[:200]!r}: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{file} is not TOML: {error}") from None
    return tasks_of(listed, known, str(file))


def tasks_of(
    listed: Mapping[str, Any], known: Collection[str], where: str
) -> dict[str, dict[str, Any]]:
    """Return the tasks of a list that was read."""
    common, sites = listed.get("common", {}), listed.get("sites", [])
    equivalences = listed.get("equivalences", ["exact"])
    _check(isinstance(common, dict), f"{where}: [common] has to be a table")
    _check(isinstance(sites, list) and bool(sites), f"{where} needs at least one [[sites]]")
    _check(
        isinstance(equivalences, list) and all(isinstance(e, str) for e in equivalences),
        f"{where}: equivalences has to be a list of names",
    )
    tasks: dict[str, dict[str, Any]] = {}
    for number, site in enumerate(sites, 1):
        here = f"{where}: site {number}"
        _check(isinstance(site, dict), f"{here} has to be a table")
        settings = {**common, **{key: value for key, value in site.items() if key not in OWN}}
        for key in settings:
            _check(key in known, f"{here}: unknown setting {key[:40]!r}: {', '.join(known)}")
        places = [key for key in WHERE if isinstance(site.get(key), str)]
        _check(len(places) == 1, f"{here} needs a url, or the name of a built-in site")
        name = str(site.get("name", site[places[0]]))
        for equivalence in equivalences:
            task = f"{name} {equivalence}"
            _check(task not in tasks, f"{where} has {task!r} twice: give sites names")
            tasks[task] = {
                places[0]: site[places[0]],
                "name": name,
                "labels": str(site.get("labels", "")),
                "equivalence": equivalence,
                "settings": settings,
            }
    return tasks


def _check(is_so: bool, message: str) -> None:
    if not is_so:
        raise InputError(message)

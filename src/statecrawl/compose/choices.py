"""Picks implementations by the names that users give them; nothing else does."""

from collections.abc import Sequence
from pathlib import Path

from statecrawl.config import NO_CLASSES, CrawlOptions, checked_equivalence
from statecrawl.core.application import Application
from statecrawl.core.identity import StateIdentity
from statecrawl.core.inputs import Inputs, parse_inputs
from statecrawl.core.masks import Masks
from statecrawl.core.model_file import MAX_FILE_BYTES, parse_model
from statecrawl.core.near_identity import AskedIdentity, NearIdentity
from statecrawl.core.ports import Store
from statecrawl.core.shelf import InMemory, Shelving
from statecrawl.core.strategy import StrategyFactory
from statecrawl.equivalences import EQUIVALENCES, near_equivalence
from statecrawl.equivalences.exact import exact
from statecrawl.errors import InputError
from statecrawl.runtimes.classifier import Classifier
from statecrawl.sites.models import MODELS, UNMODELLED, build_model
from statecrawl.strategies import PREFERENCES, STRATEGIES

MAX_INPUTS_BYTES = 1_000_000
AUTO = "auto"


def pick_strategies(names: list[str]) -> dict[str, StrategyFactory]:
    """Return the strategies with these names, each once; `all` names every one."""
    picked = {}
    for name in names:
        if name == "all":
            picked.update(STRATEGIES)
        elif name in STRATEGIES:
            picked[name] = STRATEGIES[name]
        else:
            raise InputError(
                f"unknown strategy {name[:40]!r}: give one of {', '.join(STRATEGIES)}, or all"
            )
    return picked


def preferring(prefer: str, strategy: StrategyFactory) -> StrategyFactory:
    """Return a strategy that explores first what is preferred, if anything is."""
    return PREFERENCES[prefer](strategy) if prefer else strategy


def load_application(model: str) -> Application:
    """Return the model in a file, or a built-in one named as NAME[:key=value,...]."""
    if model.partition(":")[0] in {*MODELS, *UNMODELLED}:
        return build_model(model)
    try:
        with Path(model).open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise InputError(
            f"{model[:200]!r} is neither a file nor a built-in model ({', '.join(MODELS)})"
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"can't read {model[:200]!r}: {reason}") from None
    return parse_model(raw)


def load_inputs(sources: Sequence[str]) -> tuple[Inputs, bool]:
    """Return the values for fields in a file, TOML or JSON, and whether `auto` was given too."""
    paths = [source for source in sources if source != AUTO]
    if len(paths) > 1:
        raise InputError("--inputs takes one file: put all values into it")
    if not paths:
        return Inputs(), bool(sources)
    path = Path(paths[0])
    try:
        with path.open("rb") as stream:
            text = stream.read(MAX_INPUTS_BYTES + 1).decode()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"can't read the inputs in {paths[0][:200]!r}: {reason}") from None
    if len(text) > MAX_INPUTS_BYTES:
        raise InputError(
            f"the inputs in {paths[0][:200]!r} have more than {MAX_INPUTS_BYTES:,} bytes"
        )
    return parse_inputs(text, path.suffix.lower() == ".json"), len(paths) < len(sources)


def state_identity(
    equivalence: str, masks: Masks | None = None, shelving: Shelving = InMemory
) -> StateIdentity:
    """Return what decides which state a page is."""
    near = checked_equivalence(equivalence)
    if near is None:
        return StateIdentity(EQUIVALENCES[equivalence], masks, shelving)
    return NearIdentity(near, exact, masks, shelving)


def asked_identity(equivalence: str, masks: Masks) -> AskedIdentity | None:
    """Return what asks others which state a page is; None: that can be told by its key."""
    near = checked_equivalence(equivalence)
    return None if near is None else AskedIdentity(near, exact, masks)


def remind(identity: StateIdentity, store: Store) -> None:
    """Let identity know what a crawl does: its masks and, where they decide, its states."""
    identity.masks = store.masks
    if isinstance(identity, NearIdentity):
        identity.recall(store.doms())


def classifier_for(store: Store, options: CrawlOptions) -> Classifier | None:
    """Return what sorts states into near-duplicate classes, if that is wanted."""
    if options.classes == NO_CLASSES:
        return None
    return Classifier(store, near_equivalence(options.classes))

"""Picks implementations by the names that users give them; nothing else does."""

from pathlib import Path

from statecrawl.core.application import MAX_FILE_BYTES, Application, parse_model
from statecrawl.core.strategy import StrategyFactory
from statecrawl.errors import InputError
from statecrawl.sites.models import MODELS, build_model
from statecrawl.strategies import STRATEGIES


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


def load_application(model: str) -> Application:
    """Return the model in a file, or a built-in one named as NAME[:key=value,...]."""
    if model.partition(":")[0] in MODELS:
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

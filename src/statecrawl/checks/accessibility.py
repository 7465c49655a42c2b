"""Accessibility: what axe-core finds wrong with the page as it is shown."""

from importlib.resources import files

from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.sight import Check, Sight
from statecrawl.errors import InputError

_RUN = """
(async () => {
  const options = {resultTypes: ["violations"], preload: false, iframes: false, elementRef: false};
  const {violations} = await axe.run(document, options);
  return violations.map(({id, impact, help, nodes}) => [id, impact, help, String(nodes[0].target)]);
})()
"""


def accessibility_check() -> Check:
    """Return a check by the axe-core that a package of the extra carries."""
    axe = _axe()

    async def check(sight: Sight) -> list[Problem]:
        # Among the scripts of the page it could be seen, and be misled.
        if not await sight.evaluate_apart("typeof axe === 'object'"):
            await sight.evaluate_apart(f"{axe};0")
        return [
            Problem(FindingKind.ACCESSIBILITY, f"{rule} ({impact}): {text}", target)
            for rule, impact, text, target in await sight.evaluate_apart(_RUN)
        ]

    return check


def _axe() -> str:
    try:
        return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
    except ModuleNotFoundError:
        raise InputError(
            "--check accessibility needs axe-core: pip install 'statecrawl[checks]'"
        ) from None

"""The checks of states, by name. A new one is one file, one line here, one entry in the docs.

A check says what is wrong with the page it is shown (`core/sight.py`).
"""

from collections.abc import Callable

from statecrawl.checks.accessibility import accessibility_check
from statecrawl.checks.html import html_check
from statecrawl.checks.security import security_check
from statecrawl.core.sight import Check

CHECKS: dict[str, Callable[[], Check]] = {
    "html": html_check,
    "accessibility": accessibility_check,
    "security": security_check,
}

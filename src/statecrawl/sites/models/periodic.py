"""Periodic Table: click an element to see its details."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost

_SYMBOLS = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se "
    "Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb "
    "Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm "
    "Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og"
).split()
PANELS = ("legend", "trends", "history", "isotopes", "spectra", "sources", "quiz")
COMPOUNDS = (
    ("Na", "Cl", "salt"),
    ("H", "O", "water"),
    ("Si", "O", "quartz"),
    ("Fe", "O", "rust"),
    ("C", "H", "methane"),
    ("Zn", "S", "sphalerite"),
    ("Ca", "F", "fluorite"),
    ("Al", "O", "sapphire"),
)


def periodic(
    *,
    elements: Annotated[int, Range(1, 500)] = 118,
    panels: Annotated[int, Range(0, len(PANELS))] = 1,
    compounds: Annotated[int, Range(0, len(COMPOUNDS))] = 1,
    reset_cost: ResetCost = 8,
) -> Application:
    """A table of elements with details beside it; a few pairs of clicks show a compound."""
    return explore(_Periodic(symbols(elements), panels, compounds), reset_cost)


def symbols(elements: int) -> list[str]:
    """Return the symbols of the first elements, in their order."""
    return [_symbol(number) for number in range(1, elements + 1)]


def _symbol(number: int) -> str:
    """Return the symbol of an element; those nobody has seen get their systematic one."""
    if number <= len(_SYMBOLS):
        return _SYMBOLS[number - 1]
    return "".join("nubtqphsoe"[int(digit)] for digit in str(number)).capitalize()


class _Page(NamedTuple):
    """The element or compound whose details are shown, and the panel laid over them, if any."""

    shown: str = ""
    panel: str = ""


class _Periodic:
    """Clicking the elements of a well-known formula one after the other shows the compound.

    Nothing but a reset shows the table without any details again.
    """

    start = _Page()

    def __init__(self, symbols: list[str], panels: int, compounds: int) -> None:
        self._symbols = symbols
        self._panels = PANELS[:panels]
        self._compounds = {(one, two): name for one, two, name in COMPOUNDS[:compounds]}

    def name(self, page: _Page) -> str:
        name = page.shown or "table"
        return f"{name} under {page.panel}" if page.panel else name

    def regions(self, page: _Page) -> dict[str, str]:
        return {"detail": page.shown, "panel": page.panel}

    def controls(self, page: _Page) -> Iterator[Control[_Page]]:
        for symbol in self._symbols:
            shown = self._compounds.get((page.shown, symbol), symbol)
            yield Control("element", f"element:{symbol}", _Page(shown))
        for panel in self._panels:
            target = page._replace(panel="" if panel == page.panel else panel)
            yield Control("panel", f"panel:{panel}", target)

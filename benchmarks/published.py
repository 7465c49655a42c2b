"""The figures of Tables I to III of Dincturk et al. 2014, by our names of the subjects.

Costs to all states (Table II) and to the end (Table III), in the order of STRATEGIES.
Corrected as follows: Table II computes the strategies' costs on the hypercube with a cost of
reset of 2 while Table I says 3; here they are events + 3 x resets. The printed optimum of the
bibliography, 1,781, should read 1,801, and that of clips, 132, should read 164.
"""

from typing import NamedTuple

STRATEGIES = ("depth_first", "breadth_first", "greedy", "hypercube", "menu", "probability")


class Subject(NamedTuple):
    """One application of the study."""

    original: str
    states: int
    transitions: int
    reset_cost: int
    to_all_states: tuple[int, ...]
    optimum: int
    to_end: tuple[int, ...]


SUBJECTS = {
    "bibliography": Subject(
        "Bebop", 1_800, 145_811, 2,
        (12_542_686, 951_058, 804_020, 796_410, 32_962, 23_505), 1_801,
        (13_006_700, 960_407, 827_884, 816_241, 814_202, 817_098),
    ),
    "files": Subject(
        "Elfinder", 1_360, 43_816, 10,
        (2_001_231, 188_342, 68_656, 68_726, 43_925, 41_526), 1_369,
        (2_002_329, 194_315, 70_624, 70_571, 77_476, 70_932),
    ),
    "filetree": Subject(
        "FileTree", 214, 8_428, 2,
        (105_345, 24_644, 17_160, 16_269, 255, 781), 215,
        (105_671, 29_646, 20_781, 19_913, 19_767, 19_386),
    ),
    "periodic": Subject(
        "Periodic Table", 240, 29_034, 8,
        (860_368, 88_786, 29_630, 29_630, 16_878, 28_920), 247,
        (862_549, 181_925, 31_811, 31_811, 42_970, 31_413),
    ),
    "clips": Subject(
        "Clipmarks", 129, 10_580, 18,
        (19_445, 28_808, 10_874, 10_858, 3_268, 11_708), 164,
        (20_077, 31_977, 12_380, 12_371, 12_865, 12_608),
    ),
    "bank": Subject(
        "Altoro Mutual", 45, 1_210, 2,
        (6_840, 2_339, 1_892, 970, 118, 186), 74,
        (6_870, 3_782, 2_589, 2_558, 2_536, 2_522),
    ),
    "company": Subject(
        "TestRIA", 39, 305, 2,
        (1_304, 1_205, 886, 884, 98, 129), 59,
        (1_462, 1_339, 1_008, 997, 976, 975),
    ),
    "hypercube": Subject(
        "Hypercube10D", 1_024, 5_120, 3,
        (35_303, 43_403, 10_009, 2_833, 10_009, 10_371), 2_402,
        (35_344, 43_520, 12_645, 12_640, 12_645, 13_526),
    ),
}  # fmt: skip

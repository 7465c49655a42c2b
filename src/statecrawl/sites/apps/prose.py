"""Sentences that mean nothing, the same ones for the same seed."""

from zlib import crc32

_WHO = (
    "the old harbour;every second visitor;our neighbour;the whole committee;a patient reader;"
    "the night train;somebody upstairs;the first version;this little machine;an early draft;"
    "the singer;the third chapter;a quiet street;the referee;my sister;the last bus"
).split(";")
_DOES = (
    "explains;forgets;improves;remembers;follows;repairs;admires;compares;collects;questions;"
    "paints;measures;enjoys;translates;borrows;describes"
).split(";")
_WHAT = (
    "the mysterious melody;a simple proof;the weather of tomorrow;two broken clocks;the long way;"
    "all known examples;a bowl of soup;the missing page;every small detail;the green bicycle;"
    "an honest answer;the view from the bridge;the rules of the game;a map without names;"
    "the beginning;several warm colours"
).split(";")
_HOW = (
    "with great care;in the end;once more;without a word;before breakfast;for no reason;"
    "by heart;on the ride home;as expected;twice a week;at midnight;rather slowly;in public;"
    "after all these years;to everyone's surprise;in black and white"
).split(";")


def sentence(seed: str) -> str:
    """Return a sentence of four phrases."""
    lot = crc32(seed.encode())
    phrases = []
    for words in (_WHO, _DOES, _WHAT, _HOW):
        lot, index = divmod(lot, len(words))
        phrases.append(words[index])
    text = " ".join(phrases)
    return f"{text[0].upper()}{text[1:]}."


def sentences(seed: str, count: int) -> str:
    """Return so many sentences."""
    return " ".join(sentence(f"{seed} {i}") for i in range(count))

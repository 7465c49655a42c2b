"""YouTube as it once was: documents with links, and comments that one function fetches."""

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from zlib import crc32

from statecrawl.sites.apps.app import App, Query
from statecrawl.sites.apps.prose import sentence, sentences
from statecrawl.sites.models.videos import near_pages, page_count, related_videos
from statecrawl.sites.models.words import nth

_PER_PAGE = 10
_THINGS = (
    "Guitar Kitten Mountain Skateboard Piano Rocket Penguin Waterfall Marathon Robot Origami "
    "Volcano Submarine Juggler Telescope Sandcastle Trumpet Bicycle Glacier Parrot Carousel "
    "Lighthouse Dragonfly Accordion Snowman Tightrope Fireworks Hedgehog Windmill Kayak"
).split()
_GENRES = (
    "Lesson Cover Documentary Remix Interview Review Compilation Trailer Experiment Tour "
    "Concert Timelapse Parody"
).split()
_AUTHORS = (
    "moonwalker tea_lover quietfox oldsailor pixelbee nightowl greenhat papercrane rustybike "
    "lemonade sunnyday drummer42 bookworm cloudchaser snowleopard wildrose tinroof"
).split()

POPULAR = (
    "youtube;with you;wow;funny;dance;kiss;low;fight;akon;lol;cool;awesome;cute;epic;amazing;"
    "remix;tutorial;guitar hero;soccer;anime;trailer park;hip hop;techno;karaoke;prank;"
    "magic trick;wrestling;skateboarding;parkour;beatbox;freestyle;slow motion;bloopers;"
    "cartoon;halloween;christmas;birthday;wedding;graduation;vacation;roller coaster;"
    "motorcycle;drifting;airplane;helicopter;tornado;earthquake;lightning;eclipse;comet;"
    "dinosaur;shark;dolphin;puppy;hamster;ferret;squirrel;gorilla;elephant;giraffe;crocodile;"
    "butterfly;spider;origami bird;lego;domino;rubik;chess;poker;bowling;karate;boxing;fencing;"
    "archery;surfing;snowboard;ice skating;gymnastics;ballet;salsa;tango;waltz;violin;cello;"
    "saxophone;harmonica;banjo;ukulele;drum solo;opera;gospel;reggae;blues;jazz;country;"
    "lullaby;anthem;acoustic;unplugged;encore"
).split(";")
"""What people look for most: the first two are on nearly every page of comments, the others on
15 % of them down to less than 1 %."""
_COMMON = (0.5, 0.4)
_RARE = tuple(accumulate(0.015 * 1.5 ** (-(rank**0.5)) for rank in range(len(POPULAR) - 2)))


def videos(*, videos: int, related: int, comment_pages: int) -> App:
    """Return a document for each video, and its comments page by page."""
    pages = {str(video): page_count(video, comment_pages) for video in range(1, videos + 1)}

    def document(query: Query) -> Mapping[str, str]:
        video, count = query["v"], pages[query["v"]]
        number = int(video)
        return {
            "video": video,
            "pages": str(count),
            "title": _title(number),
            "author": _author(f"video {video}"),
            "text": sentences(f"video {video}", 2),
            "related": "\n".join(
                f'<li><a href="/watch?v={other}" title="related:{other}">{_title(other)}</a></li>'
                for other in related_videos(number, videos, related)
            ),
        }

    def comments(query: Query) -> str:
        count = pages[query["v"]]
        page = {str(page): page for page in range(1, count + 1)}[query["p"]]
        return _comments(query["v"], page) + _pager(page, count)

    return App({"/comments": comments}, {"/watch": document}, {"/": "/watch?v=1"})


def _title(video: int) -> str:
    turn, thing = divmod(video - 1, len(_THINGS))
    return f"{_THINGS[thing]} {nth(_GENRES, (turn * 5 + thing) % 13 + turn // 13 * 13)}"


def _author(seed: str) -> str:
    return _AUTHORS[sum(seed.encode()) % len(_AUTHORS)]


def _comments(video: str, page: int) -> str:
    first = (page - 1) * _PER_PAGE + 1
    items = []
    for number in range(first, first + _PER_PAGE):
        seed = f"video {video} comment {number}"
        text = sentences(seed, 1 + number % 2)
        items.append(f"<li><b>{_author(sentence(seed))}</b> {text}{_asides(seed)}</li>")
    return f'<ol start="{first}">{"".join(items)}</ol>'


def _asides(seed: str) -> str:
    """Return what a comment says beside the matter, if anything."""
    common, rare = (crc32(f"{which} {seed}".encode()) / 2**32 for which in ("common", "rare"))
    said = [POPULAR[0]] if common < _COMMON[0] else []
    said += [POPULAR[1]] if common >= 1 - _COMMON[1] else []
    number = bisect_right(_RARE, rare)
    said += [POPULAR[number + 2]] if number < len(_RARE) else []
    return "".join(f" {word}!" for word in said)


def _pager(page: int, pages: int) -> str:
    """Return the links to other pages, around the number of this one."""
    links = [(other, f"comments:{other}", f"jumpTo({other})") for other in near_pages(page, pages)]
    shown = {
        **{other: _link(event, call, str(other)) for other, event, call in links},
        page: f"<b>{page}</b>",
    }
    parts = [shown[other] for other in sorted(shown)]
    if page > 1:
        parts.insert(0, _link("comments:previous", "previousPage()", "Previous"))
    if page < pages:
        parts.append(_link("comments:next", "nextPage()", "Next"))
    return f"<p>{' '.join(parts)}</p>"


def _link(event: str, call: str, text: str) -> str:
    return f'<a href="#" title="{event}" onclick="{call}; return false">{text}</a>'

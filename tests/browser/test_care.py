"""What looks destructive, ends the session or costs money is not fired, and is listed."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from statecrawl.browser.agent import AgentSettings
from statecrawl.errors import InputError
from tests.browser.helpers import crawl, evaluate, identities, opened, served
from tests.command import statecrawl
from tests.serving import aside

DESTROYS, ENDS, PAYS = "looks destructive", "ends the session", "looks like a purchase"

HARMFUL = {
    "<button>Delete</button>": DESTROYS,
    "<button>* Remove item</button>": DESTROYS,
    "<input type=submit value='Close my account'>": DESTROYS,
    "<button title='Delete this row'>&times;</button>": DESTROYS,
    "<button aria-label=Remove>-</button>": DESTROYS,
    "<button><i class='fa fa-trash'></i></button>": DESTROYS,
    "<a href='/posts/5/delete'>More</a>": DESTROYS,
    "<a href='?action=delete&id=5'>More</a>": DESTROYS,
    "<a href='/posts/5' data-method=delete>More</a>": DESTROYS,
    "<form><input type=hidden name=_method value=DELETE><button>Go</button></form>": DESTROYS,
    "<div onclick='go()'>Konto löschen</div>": DESTROYS,
    "<button>Supprimer le compte</button>": DESTROYS,
    "<button>Usuń</button>": DESTROYS,
    "<button>削除</button>": DESTROYS,
    "<button>删除</button>": DESTROYS,
    "<button>Log out</button>": ENDS,
    "<a href='#'>Sign out (jane)</a>": ENDS,
    "<a href=/logout>Jane</a>": ENDS,
    "<a href='#/sign-out'>Jane</a>": ENDS,
    "<button>Cerrar sesión</button>": ENDS,
    "<button>Uitloggen</button>": ENDS,
    "<button>Pay $20.00</button>": PAYS,
    "<button>Place your order</button>": PAYS,
    "<button>Acquista ora</button>": PAYS,
    "<button>Comprar</button>": PAYS,
}
HARMLESS = [
    "<button>Remove filter</button>",
    "<button>Clear completed</button>",
    "<button>Close</button>",
    "<button class=destroy></button>",
    "<button>Undo delete</button>",
    "<button>Order by name</button>",
    "<button>Purchase history</button>",
    "<a href='/docs/delete'>How to delete a file</a>",
    "<a href='/catalogue/blogout'>Blog</a>",
    "<button>You can still delete this file later</button>",
    "<button>Deleted items</button>",
    "<label><input type=checkbox> Delete files</label>",
    "<div onclick='go()' tabindex=0>Apple <a href='https://elsewhere.test/'>Remove</a></div>",
]


def test_what_does_harm_is_told_from_what_does_not() -> None:
    async def run() -> None:
        async with opened("<main></main>") as page:
            for html, reason in [*HARMFUL.items(), *((html, "") for html in HARMLESS)]:
                await evaluate(page, f"document.body.innerHTML = {json.dumps(html)}")
                await page.call("configure({masks: null})")
                told = await page.call("content()")
                assert {each[3] for each in told["leftAlone"]} == ({reason} if reason else set()), (
                    html
                )
                assert bool(told["events"]) is not bool(reason), html

    asyncio.run(run())


SHOP = """<form id=off action=/off><input name=why><button>Unsubscribe</button></form>
<form id=bin method=post action=/posts/5/delete>
<input name=q onkeydown="if (event.key === 'Enter') 1"></form>
<button>Show</button><button>Hide me</button><p onmouseenter="1">Delete</p>"""


def test_a_form_is_as_harmful_as_its_button_and_its_action() -> None:
    async def run() -> None:
        async with opened(SHOP) as page:
            offered = await identities(page)
            assert [each.split()[0] for each in offered] == ["input", "click", "click", "hover"]
            left = (await page.call("content()"))["leftAlone"]
            assert [kind for _, kind, _, _ in left] == ["submit", "click", "submit", "key"]

    asyncio.run(run())


def test_fire_all_and_words_to_skip() -> None:
    async def run() -> None:
        settings = AgentSettings(fire_all=True, skip_text=("hide ME",))
        async with opened(SHOP, settings) as page:
            offered = await identities(page)
            assert (await page.call("content()"))["leftAlone"] == []
            assert sum(each.startswith("submit") for each in offered) == 2
            assert any("Unsubscribe" in each for each in offered)
            assert any("Show" in each for each in offered)
            assert not any("Hide" in each for each in offered)

    asyncio.run(run())


@pytest.mark.parametrize("option", ["skip", "ignore", "keep"])
def test_a_selector_that_is_none_is_refused_in_one_line(option: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": "<button>Go</button>"}) as url:
            selectors: Any = {option: ("p", "b[", "i")}
            await crawl(url, tmp_path / "crawl", **selectors)

    with pytest.raises(InputError, match=rf"^--{option} 'b\[' is not a CSS selector$"):
        asyncio.run(run())
    assert not (tmp_path / "crawl").exists()


LIST = """<output id=out>3</output><ul id=list><li>one<li>two<li>three</ul><a href=/logout>Leave</a>
<script>for (const item of list.children) {
  const button = document.createElement('button');
  button.textContent = 'Delete';
  button.onclick = () => { item.remove(); out.textContent = list.children.length; };
  item.append(button);
}</script>"""


def test_the_command_line_lists_what_was_left_alone(tmp_path: Path) -> None:
    with aside(served({"/": LIST, "/logout": "bye"})) as url:
        common = ["crawl", url, "--no-screenshots", "--out"]
        careful = statecrawl(*common, "careful", cwd=tmp_path)
        bold = statecrawl(*common, "bold", "--fire-all", "--json", cwd=tmp_path)
    assert careful.returncode == bold.returncode == 0, careful.stderr + bold.stderr
    assert ": 1 states, 0 transitions (complete)" in careful.stdout
    assert "left alone: 2 controls; to fire them too, crawl with --fire-all" in careful.stdout
    assert "click 'Delete': looks destructive" in careful.stdout
    shown = json.loads(statecrawl("show", "careful", "--json", cwd=tmp_path).stdout)
    assert [(each["label"], each["kind"], each["reason"]) for each in shown["left_alone"]] == [
        ("Delete", "click", DESTROYS), ("Leave", "click", ENDS),
    ]  # fmt: skip
    assert json.loads(bold.stdout)["states"] == 9

"""What fields and forms get: the user's values, values that fit, words of the page itself."""

import asyncio
import json
from pathlib import Path

import pytest

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose.replay import replay_state
from statecrawl.config import RunOptions
from statecrawl.core.inputs import Inputs
from statecrawl.core.limits import Limits
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl, evaluate, fire, identities, opened, served
from tests.browser.test_kinds import model
from tests.command import statecrawl
from tests.serving import aside

FITTING = {
    "<input>": "test",
    "<input type=email>": "user@example.org",
    "<input name=phone>": "5550100",
    "<input autocomplete=postal-code>": "12345",
    "<label>E-mail <input></label>": "user@example.org",
    "<input type=number min=5 max=9>": "5",
    "<input type=number max=0>": "0",
    "<input type=number min=3 step=4>": "3",
    "<input type=date>": "2024-01-15",
    "<input type=date min=2024-06-01>": "2024-06-01",
    "<input type=date max=2023-12-24>": "2023-12-24",
    "<input type=time min=18:00>": "18:00",
    "<input maxlength=2>": "te",
    "<input minlength=6>": "testte",
    "<input pattern='[0-9]{4}'>": "1234",
    "<input pattern='[A-Z]{2}-[0-9]' placeholder=AB-7>": "AB-7",
    "<textarea></textarea>": "test",
    "<input type=range max=20 step=3>": "18",
    "<input type=search name=email>": "test",
    "<div contenteditable>text</div>": "test",
}


def test_every_field_gets_a_value_that_fits() -> None:
    async def run() -> None:
        async with opened("<main id=main></main>") as page:
            await evaluate(page, "void (main.oninput = () => {})")
            for html, value in FITTING.items():
                await evaluate(page, f"main.innerHTML = {json.dumps(html)}")
                await page.call("configure({masks: null})")
                (event,) = await identities(page)
                assert event.startswith(f"input {json.dumps(value)} "), html
                await fire(page, event)
                typed = "document.querySelector('main :is(input, textarea, div)')"
                shown = await evaluate(page, f"{typed}.value ?? {typed}.textContent")
                assert shown == value, html
                assert await identities(page) == [], html

    asyncio.run(run())


def test_the_name_decides_before_the_label_before_the_type() -> None:
    inputs = Inputs(
        name={"one": ("by name",)},
        label={"the field": ("by label", "by label too")},
        type={"text": ("by type",), "select": ("b",)},
    )
    html = """<main id=main><label>The field: <input name=one></label>
    <label>The field * <input name=two></label><input name=__proto__><input type=email>
    <select><option>a<option>b<option>c</select></main>
    <script>main.oninput = () => {};</script>"""

    async def run() -> None:
        async with opened(html, AgentSettings(inputs=inputs)) as page:
            values = [each.split('"')[1] for each in await identities(page)]
            assert values == [
                "by name", "by label", "by label too", "by type", "user@example.org", "b",
            ]  # fmt: skip

    asyncio.run(run())


def test_suggestions_of_a_field_are_values() -> None:
    html = """<input list=pets oninput="out.textContent = this.value"><datalist id=pets>
    <option>cat<option>dog</datalist><output id=out></output>"""

    async def run() -> None:
        async with opened(html) as page:
            assert [each.split('"')[1] for each in await identities(page)] == ["cat", "dog"]

    asyncio.run(run())


def test_rich_text_is_typed_as_by_a_user(tmp_path: Path) -> None:
    html = """<div id=box contenteditable><p>old</p></div><output id=out>nothing</output><script>
    const seen = [];
    document.addEventListener('beforeinput', (event) => seen.push(event.type, event.inputType));
    document.addEventListener('input', () => {
      out.textContent = [...seen.splice(0), box.textContent.trim()].join(' '); });</script>"""
    typed = 'input "test" div "old"'
    assert model(html, tmp_path / "crawl") == {
        "nothing": {typed: "beforeinput insertText test"},
        "beforeinput insertText test": {},
    }


def test_an_editor_that_refuses_typing_is_not_overruled() -> None:
    html = """<input id=one oninput="1"><div id=two contenteditable oninput="1"></div><script>
    document.addEventListener('beforeinput', (event) => event.preventDefault());</script>"""

    async def run() -> None:
        async with opened(html) as page:
            await fire(page, 'input "test" input', 'input "test" div')
            assert await evaluate(page, "one.value + two.textContent") == ""

    asyncio.run(run())


def test_groups_and_boxes_that_are_listened_to_from_above(tmp_path: Path) -> None:
    html = """<main id=main><label><input type=radio name=size value=s>small</label>
    <label><input type=radio name=size value=l>large</label>
    <label><input type=checkbox id=gift>gift</label></main><output id=out>nothing</output><script>
    main.addEventListener('change', () => { const chosen = main.querySelector(':checked[name]');
      out.textContent = `${chosen?.value ?? 'no'} ${gift.checked}`; });</script>"""
    found = model(html, tmp_path / "crawl")
    assert set(found) == {
        "nothing", "s false", "l false", "no true", "s true", "l true", "no false",
    }  # fmt: skip
    assert set(found["nothing"].values()) == {"s false", "l false", "no true"}


SIGN_UP = """<form id=ours {form}><input name=q><input type=email name=mail required>
<input type=number name=age min=18><input type=date name=day><input type=password name=secret>
<textarea name=note></textarea><select name=size><option value="">choose<option>small</select>
<input type=checkbox name=terms required><input type=checkbox name=news>
<input type=radio name=way value=air><input type=radio name=way value=sea>
<input name=kept value=kept><input name=wrong type=email value=wrong><input type=file name=file>
<input name=fixed value=fixed readonly><input name=off disabled><input name=gone hidden>
<div id=rich contenteditable></div><button {button}>Send</button></form>
<output id=out>nothing</output><script>
ours.addEventListener('submit', (event) => {{ event.preventDefault();
  const data = new FormData(ours); data.delete('file'); data.set('rich', rich.textContent);
  out.textContent = new URLSearchParams(data).toString(); ours.remove(); }});
ours.addEventListener('focusin', () => setTimeout(() => {{
  ours.lastChild.disabled = false; }}, 50));
</script>"""
FILLED = (
    "q=test&mail=user%40example.org&age=18&day=2024-01-15&secret=secret-1&note=test&size=small"
    "&terms=on&way=air&kept=kept&wrong=user%40example.org&fixed=fixed&gone=&rich=test"
)


@pytest.mark.parametrize("button", ["", "disabled"])
def test_a_form_is_filled_and_sent(button: str, tmp_path: Path) -> None:
    html = SIGN_UP.format(form="", button=button)
    found = model(html, tmp_path / "crawl", events=("submit",))
    assert found == {"nothing": {'submit "filled" form #ours': FILLED}, FILLED: {}}


def test_a_form_is_filled_as_often_as_values_are_given(tmp_path: Path) -> None:
    html = """<form id=ours><input name=q><select name=size><option>s<option>l</select>
    <button>Go</button></form><output id=out>nothing</output><script>
    ours.onsubmit = (event) => { event.preventDefault();
      out.textContent = new URLSearchParams(new FormData(ours)).toString(); ours.remove(); };
    </script>"""
    inputs = Inputs(name={"q": ("cat", "dog", ""), "size": ("s", "l")})
    found = model(html, tmp_path / "crawl", inputs=inputs)
    assert found["nothing"] == {
        'click button "Go" in form#ours': "q=&size=s",
        'submit "filled" form #ours': "q=cat&size=s",
        'submit "filled 2" form #ours': "q=dog&size=l",
        'submit "filled 3" form #ours': "q=&size=l",
    }


UNOFFERED = [
    "<form><input></form>",  # nobody listens, and it leads nowhere
    "<form action=/><button>Go</button></form>",
    "<form action=/ hidden><input><button>Go</button></form>",
    "<form action=/><fieldset disabled><input><button>Go</button></fieldset></form>",
    "<form action=/><input value=there><button>Go</button></form>",
    "<form action=http://elsewhere.test/><input><button>Go</button></form>",
    "<form action=/><input><button formaction=//elsewhere.test/>Go</button></form>",
]


def test_a_form_that_is_out_of_reach_is_not_filled() -> None:
    async def run() -> None:
        async with opened("") as page:
            for html in UNOFFERED:
                await evaluate(page, f"document.body.innerHTML = {json.dumps(html)}")
                await page.call("configure({masks: null})")
                offered = await identities(page)
                assert not any(each.startswith("submit") for each in offered), html

    asyncio.run(run())


def test_a_form_whose_fields_are_called_as_its_methods() -> None:
    html = """<form id=ours><input name=elements><input name=requestSubmit><input name=action>
    </form><output id=out></output><script>ours.addEventListener('submit', (event) => {
    event.preventDefault(); out.textContent = [...new FormData(ours).values()].join(); });
    </script>"""

    async def run() -> None:
        async with opened(html) as page:
            await fire(page, 'submit "filled"')
            assert await evaluate(page, "out.textContent") == "test,test,test"

    asyncio.run(run())


def test_a_filled_form_leads_to_its_document(tmp_path: Path) -> None:
    html = """<form id=ours action=/found><input name=q></form><output id=out>start</output>"""
    found = """<output id=out></output><script>out.textContent = location.search</script>"""

    async def run() -> None:
        async with served({"/": html, "/found": found}) as url:
            crawled = await crawl(url, tmp_path / "crawl")
            assert crawled.counts.failures == {}
            assert [state.url.removeprefix(url) for state in crawled.states.values()] == [
                "", "found?q=test",
            ]  # fmt: skip

    asyncio.run(run())


FRUIT = """<input id=q placeholder="Filter fruit"><table><tbody id=rows></tbody></table>
<output id=out></output><script>
const FRUIT = ['red apple', 'green apple', 'red cherry', 'green pear', 'yellow banana'];
const show = () => { const hits = FRUIT.filter((each) => each.includes(q.value.toLowerCase()));
  rows.innerHTML = hits.map((each) => `<tr><td>fruit: ${each}</td></tr>`).join('');
  out.textContent = hits.join() || 'nothing'; };
q.oninput = show; show();</script>"""
REVEALED = {"red apple,red cherry", "green apple,green pear", "yellow banana", "nothing"}


def outputs(folder: Path) -> list[str]:
    """What the states of a crawl say."""
    with SqliteStore.open(folder, read_only=True) as store:
        pages = [store.snapshot(state) for state in store.crawled().states]
        return [page.dom.split("<output")[1].split(">")[1].split("<")[0] for page in pages if page]


def test_values_from_the_page_itself_that_reveal_something(tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": FRUIT}) as url:
            folder = tmp_path / "crawl"
            found = await crawl(url, folder, auto_inputs=True)
            assert found.counts.stop_reason == "complete"
            assert found.counts.failures == {}
            assert found.nondeterministic == ()
            first, *others = outputs(folder)
            assert first.count(",") == 4
            assert set(others) == REVEALED
            (values,) = found.about["learned"].values()
            assert values == ["red", "green", "yellow", "test"]
            last = list(found.states)[-1]
            assert (await replay_state(folder, last, LaunchOptions())).reached

    asyncio.run(run())


def test_learned_values_stay_when_the_crawl_goes_on(tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": FRUIT}) as url:
            folder = tmp_path / "crawl"
            short = RunOptions(out=folder, screenshots=False, limits=Limits(max_states=2))
            before = await crawl(url, folder, short, auto_inputs=True)
            assert len(before.states) == 2
            longer = RunOptions(out=folder, screenshots=False, resume=True, browsers=2)
            after = await crawl(url, folder, longer)
            assert after.counts.stop_reason == "complete"
            assert after.about["learned"] == before.about["learned"]
            assert list(after.states)[:2] == list(before.states)
            assert set(outputs(folder)[1:]) == REVEALED

    asyncio.run(run())


def test_a_search_form_is_filled_with_words_of_the_page(tmp_path: Path) -> None:
    html = """<form action=/ role=search><input name=q><button>Search</button></form>
    <ul id=list></ul><output id=out></output><script>
    const q = new URLSearchParams(location.search).get('q') ?? '';
    const hits = ['Ottawa Canada', 'Ljubljana Slovenia'].filter((each) => each.includes(q));
    list.innerHTML = hits.map((each) => `<li>${each}</li>`).join('');
    out.textContent = hits.join() || 'nothing';</script>"""

    async def run() -> None:
        async with served({"/": html}) as url:
            found = await crawl(url, tmp_path / "crawl", auto_inputs=True)
            assert found.counts.failures == {}
            assert set(outputs(tmp_path / "crawl")) == {
                "Ottawa Canada,Ljubljana Slovenia", "Ottawa Canada", "Ljubljana Slovenia",
                "nothing",
            }  # fmt: skip

    asyncio.run(run())


def test_the_command_line_takes_a_file_of_values(tmp_path: Path) -> None:
    html = """<input id=q name=q oninput="out.textContent = 'found ' + this.value">
    <output id=out>nothing</output>"""
    (tmp_path / "values.toml").write_text('[name]\nq = ["cat", "dog"]\n')
    (tmp_path / "bad.json").write_text('{"nome": 1}')

    with aside(served({"/": html})) as url:
        common = ["crawl", url, "--no-screenshots", "--json", "--out", "out"]
        for option, problem in {
            "bad.json": "the inputs have 'nome'", "none.toml": "No such file",
        }.items():  # fmt: skip
            refused = statecrawl(*common, "--inputs", option, cwd=tmp_path)
            assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
            assert problem in refused.stderr
        done = statecrawl(*common, "--inputs", "values.toml", "--inputs", "auto", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["states"] == 3
    assert set(outputs(tmp_path / "out")) == {"nothing", "found cat", "found dog"}

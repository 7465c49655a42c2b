"""A framework that listens at its root only, as React does: what its elements listen for is found.

The framework here is an imitation. As the real one, it keeps the properties of an element with the
element, listens for everything at its root, and calls whoever is on the way up.
"""

import asyncio
from pathlib import Path

from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl, evaluate, identities, opened, served
from tests.browser.truth import differences

FRAMEWORK = """<script>
const mark = Math.random().toString(36).slice(2);
const HEARD = { click: 'onClick', dblclick: 'onDoubleClick', contextmenu: 'onContextMenu',
  keydown: 'onKeyDown', input: 'onChange', submit: 'onSubmit', mouseover: 'onMouseOver',
  mousedown: 'onMouseDown', pointerdown: 'onPointerDown', change: 'onChange', scroll: 'onScroll' };

function element(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  made['__reactProps$' + mark] = props;
  for (const [name, value] of Object.entries(props)) {
    if (typeof value !== 'function') made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function mount(root, render) {
  root['__reactContainer$' + mark] = {};
  root['_reactListening' + mark] = true;
  document['_reactListening' + mark] = true;
  document.addEventListener('selectionchange', () => {});
  const draw = () => root.replaceChildren(render(draw));
  for (const [type, prop] of Object.entries(HEARD)) {
    root.addEventListener(type, (event) => {
      for (let each = event.target; each && each !== root; each = each.parentElement) {
        each['__reactProps$' + mark]?.[prop]?.(event);
      }
    });
  }
  draw();
}
</script><div id=root></div>"""

SHOP = (
    FRAMEWORK
    + """<script>
let open = false;
let count = 0;
mount(root, (draw) => {
  const toggle = () => { open = !open; draw(); };
  const add = () => { count = (count + 1) % 3; draw(); };
  const rows = ['tea', 'rice'].map((name) => element('li', { class: 'menu-item', 'data-name': name }, name));
  return element('main', {},
    element('div', { title: 'toggle', onClick: toggle }, element('b', {}, open ? 'Close' : 'Open')),
    element('p', { class: 'btn', 'data-price': '3', tabindex: '0' }, 'only for the eyes'),
    element('ul', {}, ...(open ? rows : [])),
    element('span', { title: 'add', onMouseDown: add }, `basket ${count}`));
});
</script>"""  # noqa: E501 - one line of the page's code
)


def name(open_: bool, count: int) -> str:
    return f"{'open' if open_ else 'closed'}, {count}"


SHOP_STATES = {
    name(open_, count): {"toggle": name(not open_, count), "add": name(open_, (count + 1) % 3)}
    for open_ in (False, True)
    for count in range(3)
}


def test_listeners_at_the_root_are_crawled_exactly(tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": SHOP}) as url:
            found = await crawl(url, tmp_path / "crawl")
            assert found.counts.stop_reason == "complete"

    asyncio.run(run())
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        assert differences(store, "closed, 0", SHOP_STATES) == []


KINDS = (
    FRAMEWORK
    + """<script>mount(root, () => element('main', {},
  element('i', { onClick() {} }, 'clicked'), element('i', { onDoubleClick() {} }, 'twice'),
  element('i', { onContextMenu() {} }, 'other'), element('i', { onMouseOver() {} }, 'over'),
  element('i', { onKeyDown: ({ key }) => key === 'Escape' }, 'keyed'),
  element('i', { onPointerDown() {} }, 'pressed'), element('input', { onChange() {} }),
  element('form', { onSubmit() {} }, element('input', {})), element('i', {}, 'deaf'),
  element('section', { onClick() {} }, element('i', { onClick() {} }, 'inner')),
  element('button', { onClick() {}, disabled: '' }, 'disabled')));</script>"""
)


def test_each_element_offers_what_its_properties_say() -> None:
    async def run() -> None:
        async with opened(KINDS) as page:
            assert await identities(page) == [
                'click i "clicked" in main', 'dblclick i "twice" in main',
                'contextmenu i "other" in main', 'hover i "over" in main',
                'key "Escape" i "keyed" in main', 'click i "pressed" in main',
                'change "test" input text in main', "submit form in main",
                'submit "filled" form in main',
                'click i "inner" in section',
            ]  # fmt: skip
            await evaluate(page, "root.replaceChildren()")
            await page.call("configure({masks: null})")
            assert await identities(page) == []

    asyncio.run(run())

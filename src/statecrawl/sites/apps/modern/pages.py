"""The middle of each document, which does not change; what its script shows stands below."""

from statecrawl.sites.models.modern import GOODS, PRODUCTS

_OUTSIDE = "http://shop.invalid/"


def _buttons(group: str, **labels: str) -> str:
    return "".join(
        f'<button title="{group}:{name}">{label}</button>' for name, label in labels.items()
    )


_CONTACT = """
<form title="contact" novalidate>
<label>Name <input name="name"></label>
<label>E-mail <input name="email" type="email"></label>
<label>Age <input name="age" type="number" min="1" max="99"></label>
<label>Day <input name="day" type="date"></label>
<label>Password <input name="password" type="password" minlength="6"></label>
<label>Town <input name="town" list="towns"></label>
<datalist id="towns"><option value="Basel"><option value="Ghent"></datalist>
<label>Colour <select name="colour"><option value="">choose<option>red<option>blue</select></label>
<fieldset><legend>Size</legend>
<label><input name="size" type="radio" value="small"> small</label>
<label><input name="size" type="radio" value="large"> large</label></fieldset>
<label><input name="agreed" type="checkbox" required> I agree</label>
<label>Note <textarea name="note"></textarea></label>
<div id="story" contenteditable="true" role="textbox" aria-label="Story"></div>
<button title="contact:send">Send</button>
</form>"""

_ORDER = """
<form title="order" action="/ordered">
<label>Article <input name="article" required></label>
<label>Count <input name="count" type="number" min="1" max="9" required></label>
<label>Wrapping <select name="wrapping" required>
<option value="">choose<option value="box">box<option value="paper">paper</select></label>
<button title="order:send">Order</button>
</form>"""

_SEARCH = f"""
<label>Search <input title="search:field" list="words" autocomplete="off"></label>
<datalist id="words"><option value="amber"><option value="birch"></datalist>
<p>In stock: {", ".join(f"<b>{good}</b>" for good in GOODS)}.</p>"""

PAGES = {
    "home": "<h1>The shop</h1>"
    + _buttons("home", ask="Ask me", greet="Greet me", terms="Terms")
    + f'<p><a href="/price-list.csv" download>Price list</a> <a href="{_OUTSIDE}">Partner</a></p>',
    "catalogue": "<h1>Catalogue</h1>"
    + "".join(
        f'<p><a href="/catalogue/{name}" title="product:{name}">{name}</a></p>' for name in PRODUCTS
    ),
    "guide": "<h1>Guide</h1>"
    + "".join(
        f'<a href="#/{name}" title="guide:{name}">{name}</a> '
        for name in ("start", "install", "use")
    ),
    "feed": "<h1>Feed</h1>",
    "live": "<h1>Live</h1>"
    + _buttons("live", fetch="By fetch", socket="By WebSocket", events="By events")
    + '<div id="lazy"></div>',
    "parts": '<h1>Parts</h1><iframe src="/frame"></iframe><shop-switch></shop-switch>',
    "contact": f"<h1>Contact</h1>{_CONTACT}",
    "order": f"<h1>Order</h1>{_ORDER}",
    "search": f"<h1>Search</h1>{_SEARCH}",
    "offers": "<h1>Offers</h1><p>Today everything is half price.</p>",
    "deal": "<h1>A deal</h1><p>Who searches finds.</p>",
    "terms": "<h1>Terms</h1><p>All sales are final.</p>",
}

"""Pages whose content is too much, too deep, or not what it seems."""

from statecrawl.sites.apps.hostile.page import Page, button, link, script

_NOISE = "\u202eright to left\u202c \u0001\u001b[31m\u2028\ufeff\u200b\U0001f600 \ufffe"

CONTENT = (
    Page(
        "huge-dom",
        "Twenty thousand elements.",
        button("Touch", "say('touched')") + "<i></i>" * 20_000,
    ),
    Page(
        "many-controls",
        "Five thousand buttons.",
        "".join(f'<button onclick="say({i})">No. {i}</button>' for i in range(5_000)),
    ),
    Page(
        "deep-dom",
        "Five thousand elements, each in the one before.",
        '<div id="deep"></div>'
        + script(
            "let here = document.getElementById('deep'); for (let i = 0; i < 5000; i++)"
            " here = here.appendChild(document.createElement('div'));"
            " here.innerHTML = `<button onclick=\"say('the bottom')\">At the bottom</button>`"
        ),
    ),
    Page(
        "deep-shadow",
        "Five hundred shadow roots, each in the one before.",
        '<div id="deep"></div>'
        + script(
            "let here = document.getElementById('deep'); for (let i = 0; i < 500; i++)"
            " here = here.attachShadow({ mode: 'open' }).appendChild("
            "document.createElement('div'));"
            " here.innerHTML = `<button onclick=\"say('the bottom')\">At the bottom</button>`"
        ),
    ),
    Page("huge-text", "Five million characters.", f"<p>{'no end of words ' * 312_500}</p>"),
    Page(
        "long-attributes",
        "An attribute of a million characters, and a URL of fifty thousand.",
        f'<p data-long="{"x" * 1_000_000}">Long</p>' + link("Long URL", "/terms?" + "x" * 50_000),
    ),
    Page(
        "long-labels",
        "Buttons with names of a hundred thousand characters.",
        button("x" * 100_000, "say(1)") + button("x" * 100_000 + "y", "say(2)"),
    ),
    Page(
        "odd-labels",
        "Names with control characters, from right to left, with markup.",
        button(_NOISE, "say('noise')")
        + button("<img src=x onerror=alert(1)>", "say('markup')")
        + button("\"'`${}</script>{{braces}}", "say('quotes')")
        + button("", "say('nothing')")
        + button("=HYPERLINK(1)", "say('formula')")
        + button("../../etc", "say('path')")
        + script("document.title = '<img src=x onerror=alert(1)>\\0'"),
    ),
    Page(
        "duplicate-ids",
        "One id for everything, and many equal buttons.",
        "".join(
            f'<p id="same"><button id="same" onclick="say({i})">Same</button></p>'
            for i in range(10)
        ),
    ),
    Page(
        "clobbered",
        "Fields whose names hide the properties of their form and of the document.",
        '<form id="f" onsubmit="say(\'sent\'); return false">'
        + "".join(
            f'<input name="{name}" value="x">'
            for name in (
                "attributes children firstElementChild parentNode nodeName tagName id submit"
                " localName elements shadowRoot getAttribute ownerDocument querySelectorAll"
            ).split()
        )
        + '<button>Send</button></form><img name="body" alt=""><img name="forms" alt="">'
        '<img name="documentElement" alt="">',
    ),
    Page(
        "forms",
        "A form with files, hidden fields and a limit that can't be met.",
        '<form action="/terms" method="post" enctype="multipart/form-data"><input type="file"'
        ' name="file" required><input type="hidden" name="token" value="{{chance}}">'
        '<input name="n" pattern="(?!)" required><input type="number" min="5" max="3" required>'
        '<input type="range"><input type="color"><button>Send</button><button type="reset">Clear'
        "</button></form>",
    ),
    Page(
        "canvas",
        "Nothing but a canvas, with a button drawn on it.",
        '<canvas width="400" height="200"></canvas>'
        + script(
            "const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d');"
            " pen.fillText('Press here', 50, 50); canvas.onclick = (e) => {"
            " if (e.offsetX < 150 && e.offsetY < 80) { pen.fillText('pressed', 50, 90);"
            " say('pressed'); } }"
        ),
    ),
    Page(
        "shadow",
        "Controls in an open and in a closed shadow root.",
        '<div id="open"></div><div id="closed"></div>'
        + script(
            "for (const mode of ['open', 'closed']) document.getElementById(mode)"
            ".attachShadow({ mode }).innerHTML ="
            " `<button onclick=\"say('${mode}')\">In the ${mode} one</button>`"
        ),
    ),
    Page(
        "policy",
        "A content policy that forbids almost everything.",
        '<button id="own">By a script of its own</button><script src="/policy.js"></script>'
        + button("By an attribute", "say('forbidden')"),
        headers={"content-security-policy": "default-src 'none'; script-src 'self'"},
    ),
    Page(
        "trusted-types",
        "A content policy under which nobody may write HTML.",
        '<button id="own">By a script of its own</button><script src="/policy.js"></script>',
        headers={
            "content-security-policy": "require-trusted-types-for 'script'; trusted-types 'none'",
            "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "geolocation=(), camera=()",
        },
    ),
    Page(
        "sandboxed-page",
        "A page in a sandbox, with an origin of its own.",
        button("Touch", "say('touched')"),
        headers={"content-security-policy": "sandbox allow-scripts"},
    ),
    Page(
        "sandboxed-frame",
        "Frames in sandboxes, with and without scripts.",
        '<iframe sandbox srcdoc="<button>Dead</button>"></iframe><iframe sandbox="allow-scripts"'
        ' srcdoc="<button onclick=&quot;this.textContent = 1&quot;>Alive</button>"></iframe>',
    ),
    Page(
        "hundred-frames",
        "A hundred frames.",
        "".join(f'<iframe srcdoc="<button>No. {i}</button>"></iframe>' for i in range(100)),
    ),
    Page(
        "no-body",
        "Throws its own body away.",
        button("Remove the body", "document.body.remove()")
        + button("Remove everything", "document.documentElement.remove()"),
    ),
    Page(
        "written",
        "Writes itself anew.",
        button("Write", "document.write('<p>written</p><a href=/>All pages</a>')")
        + button("Open", "document.open(); document.write('<a href=/>new</a>')"),
    ),
    Page(
        "written-on-load",
        "Writes itself anew as soon as it is there.",
        script("onload = () => document.write('<p>written</p><a href=/>All pages</a>')"),
    ),
    Page(
        "vanishing",
        "Buttons that are replaced, moved or taken away when one comes near.",
        '<p><button onmouseover="this.remove()" onclick="say(1)">Shy</button></p><p>'
        '<button onmousedown="this.replaceWith(this.cloneNode(true))" onclick="say(2)">New</button>'
        '</p><p style="position: relative"><button style="position: absolute" onclick="say(3)"'
        " onmouseover=\"this.style.left = '500px'\">Runs</button></p>",
    ),
    Page(
        "covered",
        "Something transparent over everything.",
        button("Underneath", "say('reached')")
        + '<div style="position: fixed; inset: 0; z-index: 9" onclick="say(\'cover\')"></div>',
    ),
    Page(
        "throwing-elements",
        "Elements of its own that throw at every touch.",
        "<throwing-element>x</throwing-element>"
        + script(
            "customElements.define('throwing-element', class extends HTMLElement {"
            " get textContent() { throw 1 } get attributes() { throw 2 } get id() { throw 3 }"
            " get firstElementChild() { throw 4 } disconnectedCallback() { throw 5 }"
            " getAttribute() { throw 6 } getBoundingClientRect() { throw 7 } })"
        ),
    ),
    Page(
        "broken-text",
        "Half characters that no encoding can write.",
        button("Half", "say('\\ud800 \\udfff \\0')")
        + '<p id="half"></p>'
        + script("document.getElementById('half').textContent = '\\udc00 alone \\ud83d'"),
    ),
)

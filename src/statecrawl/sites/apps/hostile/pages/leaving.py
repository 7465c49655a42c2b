"""Pages that lead to, or ask for something from, an origin that is not theirs."""

from statecrawl.sites.apps.hostile.page import Page, button, link, script

LEAVING = (
    Page("link-outside", "A plain link.", link("Elsewhere", "{{outside}}/outside/link")),
    Page(
        "script-outside",
        "Scripts that leave.",
        button("Assign", "location = '{{outside}}/outside/assign'")
        + button("Replace", "location.replace('{{outside}}/outside/replace')")
        + button("Later", "setTimeout(() => { location = '{{outside}}/outside/later' }, 200)"),
    ),
    Page(
        "click-outside",
        "A link in scope whose target is changed at the last moment.",
        link("Innocent", "/terms", "onmousedown=\"this.href = '{{outside}}/outside/mousedown'\""),
    ),
    Page(
        "form-outside",
        "Forms that send elsewhere.",
        '<form action="{{outside}}/outside/form"><input name="q"><button>Get</button></form>'
        '<form action="{{outside}}/outside/form-post" method="post"><button>Post</button></form>'
        '<form action="/terms"><button formaction="{{outside}}/outside/formaction">Button</button>'
        "</form>",
    ),
    Page(
        "refresh-outside",
        "Leaves by itself, by a tag.",
        "",
        '<meta http-equiv="refresh" content="0; url={{outside}}/outside/refresh">',
    ),
    Page(
        "refresh-header-outside",
        "Leaves by itself, by a header.",
        "",
        headers={"refresh": "0; url={{outside}}/outside/refresh-header"},
    ),
    Page(
        "redirect-outside",
        "Links in scope that the server leads elsewhere.",
        link("302", "/redirect/outside") + link("Over three others", "/redirect/3/outside"),
    ),
    Page(
        "load-outside",
        "Leaves by itself, by a script.",
        script("location.replace('{{outside}}/outside/load')"),
    ),
    Page(
        "redirect-chain",
        "Links behind redirects in scope.",
        link("Five redirects", "/redirect/5/terms") + link("Fifty redirects", "/redirect/50/terms"),
    ),
    Page(
        "redirect-loop",
        "Redirects that lead back to themselves.",
        link("By the server", "/redirect/loop") + link("By a script", "/script-loop"),
    ),
    Page(
        "script-loop",
        "Loads itself for ever.",
        script("location.replace('/script-loop?n={{next}}')"),
    ),
    Page(
        "prefetch",
        "Asks the browser to fetch what might be needed.",
        link("In scope", "/terms"),
        '<link rel="prefetch" href="{{outside}}/outside/prefetch">'
        '<link rel="preload" as="fetch" href="{{outside}}/outside/preload">'
        '<link rel="modulepreload" href="{{outside}}/outside/modulepreload.js">'
        '<link rel="prerender" href="{{outside}}/outside/prerender">'
        '<link rel="preconnect" href="{{outside}}">'
        '<link rel="dns-prefetch" href="{{outside}}">',
    ),
    Page(
        "early-hints",
        "Asks for the same in its headers.",
        "",
        headers={
            "link": "<{{outside}}/outside/link-header>; rel=prefetch, "
            "<{{outside}}/outside/preload-header.js>; rel=preload; as=script"
        },
    ),
    Page(
        "speculation",
        "Rules by which the browser loads pages before anybody asks.",
        link("Perhaps", "{{outside}}/outside/speculated-link"),
        '<script type="speculationrules">{"prefetch": [{"urls":'
        ' ["{{outside}}/outside/speculated-prefetch"], "eagerness": "immediate"}], "prerender":'
        ' [{"urls": ["{{outside}}/outside/speculated-prerender", "/terms"],'
        ' "eagerness": "immediate"}]}</script>',
    ),
    Page(
        "frame-outside",
        "A frame from elsewhere.",
        '<iframe src="{{outside}}/outside/frame"></iframe>'
        + button("Reload it", "document.querySelector('iframe').src += '?again'"),
    ),
    Page(
        "frame-goes-outside",
        "A frame of the same origin that goes elsewhere.",
        '<iframe name="inner" src="/terms"></iframe>'
        + link("Lead it", "{{outside}}/outside/frame-link", 'target="inner"'),
    ),
    Page(
        "frame-takes-over",
        "A frame with a button that leads the whole window elsewhere.",
        '<iframe src="/taker"></iframe>',
    ),
    Page(
        "image-outside",
        "Pictures, styles, scripts and fonts from elsewhere.",
        '<img alt="elsewhere" src="{{outside}}/outside/image.png">'
        '<script src="{{outside}}/outside/script.js" defer></script>'
        + button("One more", "new Image().src = '{{outside}}/outside/tracking.png'; say('asked')"),
        '<link rel="stylesheet" href="{{outside}}/outside/style.css">',
    ),
    Page(
        "fetch-outside",
        "Requests to elsewhere from scripts.",
        button("fetch", "fetch('{{outside}}/outside/fetch', {mode: 'no-cors'}).then(say, say)")
        + button("XMLHttpRequest", "ask('{{outside}}/outside/xhr')")
        + button("Worker", "new Worker('/fetching-worker.js?to={{outside}}')")
        + button("Socket", "new WebSocket('{{outside}}/socket'.replace('http', 'ws'))")
        + button("Events", "new EventSource('{{outside}}/events')")
        + script(
            "function ask(url) { const x = new XMLHttpRequest(); x.open('GET', url);"
            " x.onloadend = () => say('asked'); x.send(); }"
        ),
    ),
    Page(
        "ping",
        "Tells the server, and others, what was clicked.",
        link("Pinged here", "/terms", 'ping="/beacon"')
        + link("Pinged elsewhere", "/terms", 'ping="{{outside}}/outside/ping"')
        + button("Beacon", "say(navigator.sendBeacon('/beacon', 'x'))")
        + button("Beacon elsewhere", "say(navigator.sendBeacon('{{outside}}/outside/beacon'))"),
    ),
    Page(
        "base",
        "Links that look as if they stayed, under a base elsewhere.",
        link("Relative", "outside/base"),
        '<base href="{{outside}}/">',
    ),
    Page(
        "odd-links",
        "Ways of writing a URL that leads elsewhere.",
        link("Two slashes", "//{{outside-host}}/outside/slashes")
        + link("Backslashes", "\\\\{{outside-host}}\\outside\\backslashes")
        + link("With a user", "http://127.0.0.1@{{outside-host}}/outside/user")
        + link("In capitals", "HTTP://{{outside-host}}/outside/capitals")
        + '<svg height="20" width="200"><a href="{{outside}}/outside/svg"><text y="15">Drawn</text>'
        '</a></svg><map name="m"><area href="{{outside}}/outside/area" shape="default" alt="Area">'
        '</map><img usemap="#m" alt="" width="9" height="9" src="/image.png">',
    ),
)

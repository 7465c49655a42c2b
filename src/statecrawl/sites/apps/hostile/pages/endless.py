"""Pages that lead on for ever: URLs, states or content without end."""

from statecrawl.sites.apps.hostile.page import Page, button, link, script

ENDLESS = (
    Page(
        "push-state",
        "A new URL with each click.",
        button("Onward", "history.pushState(0, '', '/push-state/' + ++n); say('step ' + n)")
        + script("let n = 0"),
    ),
    Page(
        "push-state-by-itself",
        "A new URL every 10 ms.",
        script("let n = 0; setInterval(() => history.pushState(0, '', '?' + ++n), 10)"),
    ),
    Page(
        "hash-routes",
        "Routes behind the hash, each with a link to the next.",
        '<a id="next" href="#/1">Next</a>'
        + script(
            "onhashchange = () => { const n = Number(location.hash.slice(2)) || 0;"
            " say('route ' + n); document.getElementById('next').href = '#/' + (n + 1); }"
        ),
    ),
    Page(
        "back-trap",
        "Whoever goes back comes here again.",
        button("Back", "history.back()")
        + script(
            "history.pushState(0, ''); onpopstate = () => {"
            " history.pushState(0, ''); say('trapped'); }"
        ),
    ),
    Page(
        "history-walk",
        "Buttons that walk through the history.",
        button("Back", "history.back()")
        + button("Forward", "history.forward()")
        + button("Reload", "location.reload()")
        + button("Far", "history.go(-999)"),
    ),
    Page(
        "reload",
        "Reloads itself as soon as it is loaded.",
        script("onload = () => location.reload()"),
    ),
    Page(
        "refresh",
        "Loads another page of its own, again and again.",
        "<p>Page {{n}}</p>",
        '<meta http-equiv="refresh" content="0; url=/refresh?n={{next}}">',
    ),
    Page(
        "infinite-scroll",
        "More content whenever somebody comes to the end.",
        '<div id="list"></div><div id="end">...</div>'
        + script(
            "let n = 0; const more = () => { for (let i = 0; i < 20; i++) {"
            " const p = document.createElement('p'); p.textContent = 'Entry ' + ++n;"
            " document.getElementById('list').append(p); } };"
            " new IntersectionObserver((seen) => seen[0].isIntersecting && more())"
            ".observe(document.getElementById('end')); addEventListener('scroll', more)"
        ),
    ),
    Page(
        "calendar",
        "A next month to every month.",
        "<p>Month {{n}}</p>" + link("Next month", "/calendar?n={{next}}"),
    ),
    Page(
        "calendar-in-page",
        "A next month to every month, without leaving the page.",
        button("Next month", "say('month ' + ++n)") + script("let n = 0"),
    ),
    Page(
        "pagination",
        "Pages of a list without a last one.",
        "<ul><li>Result {{n}}1<li>Result {{n}}2</ul>" + link("Next page", "/pagination?n={{next}}"),
    ),
    Page(
        "session-ids",
        "A session in every URL, a new one each time.",
        link("Here again", "/session-ids?sid={{chance}}")
        + link("And again", "/session-ids/{{chance}}"),
    ),
    Page(
        "random-links",
        "Links that nobody has seen before.",
        "".join(link(f"Lucky {i}", "/random-links?to={{chance}}") for i in range(5))
        + "<p>{{chance}}</p>",
    ),
    Page(
        "random-ids",
        "Ids, classes and names that are never the same.",
        "".join(
            f'<p id="{{{{chance}}}}" class="{{{{chance}}}}"><button name="{{{{chance}}}}"'
            f" onclick=\"say('part {i}')\">Part {i}</button></p>"
            for i in range(5)
        ),
    ),
    Page(
        "random-controls",
        "Buttons with names that are never the same.",
        "".join(button("{{chance}}", f"say('part {i}')") for i in range(3)),
    ),
    Page(
        "growing-path",
        "A relative link that makes the URL longer each time.",
        link("Deeper", "deeper/{{chance}}/"),
        '<base href="/growing-path/">',
    ),
    Page(
        "facets",
        "Twenty independent switches: a million states.",
        "".join(
            f'<label><input type="checkbox" onchange="say(\'switch {i}\')">Switch {i}</label>'
            for i in range(20)
        ),
    ),
    Page(
        "counter",
        "A list that grows with each click.",
        button("One more", "document.getElementById('list').append(li())")
        + '<ul id="list"></ul>'
        + script(
            "const li = () => { const e = document.createElement('li');"
            " e.innerHTML = `<button onclick=\"say('x')\">Entry</button>`; return e; }"
        ),
    ),
    Page(
        "server-state",
        "A text that the server changes with each visit.",
        "<p>The server has answered {{asked}} requests.</p>" + link("Once more", "/server-state"),
    ),
    Page(
        "frames",
        "A frame in a frame in a frame, without end.",
        '<p>Frame {{n}}</p><iframe src="/frames?n={{next}}"></iframe>',
    ),
    Page(
        "nested-windows",
        "A page that shows itself in two frames, each of which does the same.",
        '<iframe src="/nested-windows?n={{next}}"></iframe>'
        '<iframe src="/nested-windows?n={{chance}}"></iframe>',
    ),
)

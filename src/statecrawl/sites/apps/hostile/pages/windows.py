"""Pages that open windows, close them, or hand out files."""

from statecrawl.sites.apps.hostile.page import Page, button, link, script

WINDOWS = (
    Page(
        "popup",
        "A window of the same origin.",
        button("Open", "window.open('/terms'); say('opened')"),
    ),
    Page(
        "popup-noopener",
        "A window that its opener can't reach.",
        button("Open apart", "window.open('/terms', '_blank', 'noopener'); say('opened')"),
    ),
    Page(
        "popup-outside",
        "A window from elsewhere.",
        button("Open elsewhere", "window.open('{{outside}}/outside/popup'); say('opened')"),
    ),
    Page(
        "popup-outside-noopener",
        "A window from elsewhere that its opener can't reach.",
        button(
            "Open elsewhere, apart",
            "window.open('{{outside}}/outside/popup-noopener', '_blank', 'noopener');"
            " say('opened')",
        ),
    ),
    Page("popup-on-load", "A window while loading.", script("window.open('/terms')")),
    Page(
        "popup-many",
        "Fifty windows at once.",
        button("Open fifty", "for (let i = 0; i < 50; i++) window.open('/terms?n=' + i, 'w' + i)"),
    ),
    Page(
        "popup-chain",
        "A window that opens a window that opens a window.",
        button("Open the first", "window.open('/popup-chain?n={{next}}', '_blank')")
        + script("if (location.search) window.open('/popup-chain?n={{next}}', '_blank')"),
    ),
    Page(
        "popup-later",
        "A blank window that is led elsewhere once it is open.",
        button(
            "Open blank",
            "const w = window.open('about:blank'); if (w) setTimeout(() => {"
            " w.location = '{{outside}}/outside/popup-later'; }, 50); say('opened')",
        ),
    ),
    Page(
        "popup-steals",
        "A window that leads its opener elsewhere.",
        button("Open a thief", "window.open('/thief'); say('opened')"),
    ),
    Page(
        "blank-link",
        "A link that opens a new tab.",
        link("Terms in a new tab", "/terms", 'target="_blank"')
        + link("Terms in a named one", "/terms", 'target="named" rel="opener"'),
    ),
    Page(
        "blank-link-outside",
        "A link that opens a new tab elsewhere.",
        link("Elsewhere in a new tab", "{{outside}}/outside/blank-link", 'target="_blank"')
        + '<form action="{{outside}}/outside/blank-form" target="_blank">'
        "<button>Form in a new tab</button></form>",
    ),
    Page(
        "window-close",
        "Closes the window that it is in.",
        button("Close", "window.close(); say('still here')")
        + button("Close for sure", "window.open('', '_self'); window.close(); say('still here')"),
    ),
    Page(
        "window-stop",
        "Stops its own loading, and moves and sizes the window.",
        button("Stop", "stop(); say('stopped')")
        + button("Resize", "resizeTo(1, 1); moveTo(-9999, -9999); say('resized')"),
    ),
    Page(
        "download-link",
        "A link to a file that is to be kept.",
        link("With the attribute", "/download", "download")
        + link("By its headers only", "/download"),
    ),
    Page(
        "download-script",
        "A script that hands out files.",
        button("Blob", "save(window.URL.createObjectURL(new Blob(['x'])))")
        + button("From the server", "location = '/download'")
        + button("A hundred", "for (let i = 0; i < 100; i++) save('/download?n=' + i)")
        + script(
            "function save(url) { const a = document.createElement('a');"
            " a.href = url; a.download = 'file.bin'; a.click(); say('saved'); }"
        ),
    ),
    Page(
        "download-on-load",
        "A file as soon as the page is there.",
        '<iframe src="/download"></iframe>',
    ),
    Page(
        "download-endless",
        "A file that has no end.",
        link("An endless file", "/endless-download"),
    ),
    Page(
        "other-schemes",
        "Links that other programs are to open.",
        link("Mail", "mailto:nobody@example.org")
        + link("Call", "tel:5550100")
        + link("Something of its own", "statecrawl-hostile:open")
        + button("By script", "location = 'statecrawl-hostile:open'; say('asked')"),
    ),
    Page(
        "made-up-urls",
        "Documents behind data:, blob: and javascript: URLs.",
        link("Script", "javascript:say('by URL')")
        + link("Script that is a document", "javascript:'<p>a new document'")
        + link("Data", "data:text/html,<p>data")
        + button(
            "Blob", "location = window.URL.createObjectURL(new Blob(['hi'], {type: 'text/html'}))"
        )
        + button("About", "location = 'about:blank'"),
    ),
)

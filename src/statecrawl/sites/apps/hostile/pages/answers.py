"""Pages with links and requests that the server answers badly, late, or not at all."""

from statecrawl.sites.apps.hostile.page import Page, button, link, script

ANSWERS = (
    Page("gone", "A link to nothing.", link("404", "/status/404") + link("410", "/status/410")),
    Page(
        "server-errors",
        "Links to what fails.",
        link("500", "/status/500") + link("503", "/status/503"),
    ),
    Page("no-content", "A link that is answered with 204.", link("204", "/status/204")),
    Page(
        "empty-documents",
        "Links to documents with nothing in them.",
        link("No body", "/empty") + link("No body, no type", "/empty?bare"),
    ),
    Page(
        "cut-off-answers",
        "Answers that end too early.",
        link("Cut off", "/cut-off")
        + button("Fetched", "fetch('/cut-off').then(read, say)")
        + script("const read = (r) => r.text().then(say, (error) => say(error.name))"),
    ),
    Page(
        "wrong-headers",
        "Answers that are not what they say.",
        link("Not gzip", "/not-gzip")
        + link("No redirect", "/status/302")
        + link("No known charset", "/odd-charset"),
    ),
    Page("basic-auth", "A link that wants a password.", link("Private", "/private")),
    Page(
        "basic-auth-fetch",
        "A request that wants a password.",
        button("Fetch", "fetch('/private').then((r) => say(r.status), say)")
        + '<img alt="private" src="/private?image">',
    ),
    Page(
        "documents",
        "Links to what is no web page.",
        "".join(
            link(kind, f"/document.{kind}")
            for kind in ("pdf", "png", "json", "txt", "xml", "svg", "css", "bin")
        ),
    ),
    Page(
        "never-ends",
        "A link to a document that keeps loading, and says something new all the time.",
        link("Never ends", "/endless"),
    ),
    Page(
        "never-answers",
        "A link and a request that nobody answers.",
        link("Never answered", "/never")
        + button("Fetch", "say('asked'); fetch('/never').then(say, say)"),
    ),
    Page(
        "frame-never-ends",
        "Frames that never finish loading.",
        '<iframe src="/endless"></iframe><iframe src="/never"></iframe>',
    ),
    Page(
        "image-never-ends",
        "A picture that never finishes loading.",
        '<img alt="endless" src="/endless.png"><img alt="never" src="/never?image">',
    ),
    Page(
        "script-never-comes",
        "A script that the page waits for in vain.",
        '<script src="/never?script"></script><p>Nobody sees this.</p>',
    ),
    Page(
        "style-never-comes",
        "A style sheet that the page waits for in vain.",
        button("Touch", "say('touched')"),
        '<link rel="stylesheet" href="/never?style">',
    ),
    Page(
        "blocking-request",
        "A synchronous request that is never answered.",
        button(
            "Wait",
            "const x = new XMLHttpRequest(); x.open('GET', '/never', false); x.send(); say('?')",
        ),
    ),
    Page(
        "socket-flood",
        "A WebSocket over which messages come without end.",
        script(
            "const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');"
            " socket.onmessage = (message) => say(message.data)"
        ),
    ),
    Page(
        "event-stream",
        "Server-sent events without end.",
        script("new EventSource('/events').onmessage = (message) => say(message.data)"),
    ),
    Page(
        "service-worker",
        "A service worker that answers in place of the server, from then on.",
        link("Answered by the worker", "/terms?worked")
        + script("navigator.serviceWorker.register('/service-worker.js').then(() => say('in'))"),
    ),
    Page(
        "cookies",
        "Cookies and storage that fill up.",
        button(
            "Fill",
            "for (let i = 0; i < 20; i++)"
            " document.cookie = `c${i}=${'x'.repeat(300)}; path=/terms`;"
            " try { for (let i = 0; ; i++) localStorage[i] = 'x'.repeat(1e5) }"
            " catch (error) { say(error.name) }",
        ),
    ),
)

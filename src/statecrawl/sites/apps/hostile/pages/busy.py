"""Pages whose scripts never come to rest, or take away what others build on."""

from statecrawl.sites.apps.hostile.page import Page, button, script


def _replaced(what: str, effect: str = "throw new Error('replaced')") -> str:
    """Return a button, and a script that replaces built-in functions once the page is there."""
    return button("Touch", "say('touched')") + script(
        f"onload = () => {{ for (const [owner, name] of [{what}])"
        f" owner[name] = function () {{ {effect} }}; }}"
    )


BUSY = (
    Page("click-loop", "An endless loop on a click.", button("Spin", "for (;;);")),
    Page("load-loop", "An endless loop while loading.", script("for (;;);")),
    Page(
        "load-event-loop",
        "An endless loop once everything is there.",
        script("onload = () => { for (;;); }"),
    ),
    Page(
        "timer-loop",
        "An endless loop a while after the click.",
        button("Spin soon", "say('soon'); setTimeout(() => { for (;;); }, 100)"),
    ),
    Page(
        "hover-loop",
        "An endless loop when the pointer comes.",
        '<button onmouseover="for (;;);" onclick="say(1)">Don\'t come near</button>',
    ),
    Page(
        "microtasks",
        "Promises that always lead to one more.",
        button("Promise", "const again = () => Promise.resolve().then(again); again()"),
    ),
    Page(
        "timeout-storm",
        "A timer that sets two more.",
        button("Storm", "storm()")
        + script(
            "let n = 0; const storm = () => { say(++n); later(); if (n < 5e4) later(); };"
            " const later = () => setTimeout(storm, 0)"
        ),
    ),
    Page(
        "growing-dom",
        "A timer that adds to the page for ever.",
        '<div id="list"></div>'
        + script(
            "setInterval(() => document.getElementById('list').append("
            "document.createElement('p')), 5)"
        ),
    ),
    Page(
        "animation",
        "Something that moves with every frame.",
        '<p id="moving">o</p>'
        + script(
            "const moving = document.getElementById('moving'); let n = 0; (function move() {"
            " moving.style.marginLeft = ++n % 300 + 'px'; requestAnimationFrame(move); })()"
        ),
    ),
    Page(
        "mutations",
        "An observer that answers every change with another.",
        '<p id="left"><b>x</b></p><p id="right"></p>'
        + script(
            "const [l, r] = ['left', 'right'].map((id) => document.getElementById(id));"
            " const move = () => setTimeout(() => (l.firstChild ? r : l).append("
            "l.firstChild ?? r.firstChild)); new MutationObserver(move)"
            ".observe(document.body, { childList: true, subtree: true }); move()"
        ),
    ),
    Page(
        "mutations-at-once",
        "The same without a pause: the page never gets to anything else.",
        button(
            "Start",
            "new MutationObserver(() => say(Math.random()))"
            ".observe(document.body, { childList: true, subtree: true }); say('started')",
        ),
    ),
    Page(
        "messages",
        "Messages to itself without end.",
        button("Start", "onmessage = () => postMessage(0, '*'); postMessage(0, '*')"),
    ),
    Page(
        "memory",
        "Takes memory until there is none left.",
        button(
            "Take all",
            "const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))",
        ),
    ),
    Page(
        "recursion",
        "A function that calls itself.",
        button("Fall", "(function fall() { fall() })()"),
    ),
    Page(
        "slow-expression",
        "A regular expression that takes for ever.",
        button("Match", "say(/^(a+)+$/.test('a'.repeat(60) + '!'))"),
    ),
    Page(
        "worker-loop",
        "Workers that are busy for ever.",
        button("Start two", "for (const n of [1, 2]) new Worker('/busy-worker.js?' + n); say('2')"),
    ),
    Page(
        "debugger",
        "Stops in the debugger, if there is one.",
        button("Stop", "debugger; say('went on')") + script("debugger"),
    ),
    Page(
        "errors",
        "Errors of every kind.",
        button("Throw", "throw new Error('thrown')")
        + button("Throw nothing", "throw null")
        + button("Reject", "Promise.reject(new Error('rejected'))")
        + button("Nonsense", "this is no script")
        + script("throw { toString() { throw this } }"),
    ),
    Page(
        "console-flood",
        "A hundred thousand lines in the console.",
        button("Talk", "for (let i = 0; i < 1e5; i++) console.log('line', i, {i}); say('said')"),
    ),
    Page(
        "no-arrays",
        "Takes the functions of arrays away.",
        _replaced(
            "[Array.prototype, 'map'], [Array.prototype, 'push'], [Array.prototype, 'filter'],"
            " [Array.prototype, 'join'], [Array.prototype, Symbol.iterator]"
        ),
    ),
    Page(
        "no-objects",
        "Takes JSON and the functions of objects and maps away.",
        _replaced(
            "[JSON, 'stringify'], [JSON, 'parse'], [Object, 'keys'], [Object, 'entries'],"
            " [Map.prototype, 'get'], [Map.prototype, 'set'], [Set.prototype, 'has'],"
            " [WeakMap.prototype, 'get'], [String.prototype, 'replace'], [RegExp.prototype, 'exec']"
        ),
    ),
    Page(
        "no-promises",
        "Takes promises and timers away.",
        _replaced(
            "[window, 'Promise'], [Promise.prototype, 'then'], [window, 'setTimeout'],"
            " [window, 'requestAnimationFrame'], [window, 'queueMicrotask'], [window, 'fetch']"
        ),
    ),
    Page(
        "no-dom",
        "Takes the functions of the document away.",
        _replaced(
            "[Element.prototype, 'getAttribute'], [Element.prototype, 'getBoundingClientRect'],"
            " [Document.prototype, 'querySelectorAll'], [Element.prototype, 'closest'],"
            " [EventTarget.prototype, 'dispatchEvent'], [HTMLElement.prototype, 'click'],"
            " [window, 'getComputedStyle'], [Node.prototype, 'cloneNode']"
        ),
    ),
    Page(
        "lying-functions",
        "Replaces functions by ones that answer nonsense.",
        _replaced(
            "[Array.prototype, 'map'], [Object, 'keys'], [JSON, 'stringify'], [Date, 'now'],"
            " [Math, 'random'], [performance, 'now'], [Function.prototype, 'toString']",
            "return 'nonsense'",
        ),
    ),
    Page(
        "to-json",
        "Everything that is written down as JSON is something else.",
        button("Touch", "say('touched')")
        + script(
            "for (const kind of [Object, Array, String, Number])"
            " kind.prototype.toJSON = () => 'nonsense';"
            " Object.prototype.extra = 'extra'; Array.prototype.extra = 'extra'"
        ),
    ),
    Page(
        "stopped-events",
        "Keeps every event from whoever listens.",
        button("Touch", "say('touched')")
        + script(
            "for (const kind of ['click', 'mousedown', 'pointerdown', 'keydown'])"
            " addEventListener(kind, (e) => { e.stopImmediatePropagation(); e.preventDefault(); },"
            " true)"
        ),
    ),
)

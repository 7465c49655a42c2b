"""Pages that ask: dialogs, files, permissions."""

from statecrawl.sites.apps.hostile.page import Page, button, script

DIALOGS = (
    Page(
        "alert",
        "An alert stands before what a click shows.",
        button("Alert", "alert('Look here'); say('after the alert')"),
    ),
    Page(
        "alert-on-load",
        "An alert while the page is loading.",
        script("alert('Welcome'); say('loaded')"),
    ),
    Page(
        "alert-loop",
        "Twenty alerts in a row.",
        button("Twenty alerts", "for (let i = 1; i < 21; i++) alert('No. ' + i); say('over')"),
    ),
    Page(
        "alert-for-ever",
        "Alerts without end.",
        button("Alerts for ever", "for (let i = 1; ; i++) alert('No. ' + i)"),
    ),
    Page(
        "alert-by-timer",
        "An alert every 100 ms.",
        script("setInterval(() => alert('Still there?'), 100)"),
    ),
    Page(
        "confirm",
        "A question with two answers.",
        button("Ask", "say(confirm('Go on?') ? 'yes' : 'no')"),
    ),
    Page(
        "confirm-until-no",
        "A question that is asked again until the answer is no.",
        button("Ask until no", "while (confirm('Once more?')); say('at last')"),
    ),
    Page(
        "prompt",
        "A question for a text.",
        button("Ask for a name", "say('Hello ' + prompt('Your name?', 'nobody'))"),
    ),
    Page(
        "prompt-until-right",
        "A question for a text that nobody knows, asked for ever.",
        button("Ask for the word", "while (prompt('The word?') !== '{{chance}}'); say('right')"),
    ),
    Page(
        "before-unload",
        "Asks before it lets anybody leave.",
        button("Touch", "say('touched')")
        + script(
            "addEventListener('beforeunload', (event) => {"
            " event.preventDefault(); event.returnValue = 'stay'; })"
        ),
    ),
    Page(
        "unload-work",
        "Works for a long time when it is left, and asks the server to witness it.",
        script(
            "addEventListener('pagehide', () => { navigator.sendBeacon('/beacon');"
            " const end = Date.now() + 3000; while (Date.now() < end); })"
        ),
    ),
    Page(
        "modal",
        "A dialog in the page that covers everything and can't be closed.",
        "<dialog><p>No way round</p></dialog>"
        + button("Behind it", "say('reached')")
        + script(
            "const box = document.querySelector('dialog'); box.showModal();"
            " box.oncancel = (event) => event.preventDefault();"
            " box.onclose = () => box.showModal()"
        ),
    ),
    Page("print", "Prints on a click.", button("Print", "print(); say('printed')")),
    Page("print-on-load", "Prints while loading.", script("print(); say('printed')")),
    Page(
        "file-chooser",
        "Opens the choice of a file.",
        '<input type="file" id="file" hidden>'
        + button("Choose a file", "document.getElementById('file').click(); say('asked')")
        + button("Choose a folder", "showDirectoryPicker().then(() => say('chosen'), say)"),
    ),
    Page(
        "geolocation",
        "Wants to know where we are.",
        button(
            "Where am I",
            "navigator.geolocation.getCurrentPosition(() => say('found'), () => say('refused'))",
        ),
    ),
    Page(
        "notifications",
        "Wants to send notifications, on load and on a click.",
        button("Notify me", "Notification.requestPermission().then(say)")
        + script("Notification.requestPermission().then(say)"),
    ),
    Page(
        "camera",
        "Wants camera and microphone.",
        button(
            "Film me",
            "navigator.mediaDevices.getUserMedia({ audio: true, video: true })"
            ".then(() => say('filming'), (error) => say(error.name))",
        ),
    ),
    Page(
        "clipboard",
        "Wants to read the clipboard, and fills it.",
        button("Paste", "navigator.clipboard.readText().then(say, (error) => say(error.name))")
        + button("Copy", "navigator.clipboard.writeText('x').then(() => say('copied'), say)"),
    ),
    Page(
        "full-screen",
        "Takes the whole screen and the pointer.",
        button("Full screen", "document.body.requestFullscreen().catch((e) => say(e.name))")
        + button("Lock the pointer", "document.body.requestPointerLock()?.catch?.(say)"),
    ),
    Page(
        "payment-sheet",
        "Opens the payment sheet and the choice of a device.",
        button(
            "Pay by sheet",
            "new PaymentRequest([{ supportedMethods: '{{outside}}/outside/payment' }],"
            " { total: { label: 'All', amount: { currency: 'EUR', value: '1' } } })"
            ".show().then(say, (error) => say(error.name))",
        )
        + button("Serial port", "navigator.serial.requestPort().then(say, (e) => say(e.name))"),
    ),
)

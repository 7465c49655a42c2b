"""Hypercube10D, written with handlers in the attributes and no AJAX at all."""

from statecrawl.sites.apps.app import App


def hypercube(*, dimensions: int) -> App:
    """Return a page whose buttons stand in the document from the start."""
    buttons = "\n".join(
        f'<span id="button-{i}">'
        f'<button title="e{i}" onclick="press({i})">Button {i}</button></span>'
        for i in range(1, dimensions + 1)
    )
    return App(documents={"/": lambda _: {"buttons": buttons}})

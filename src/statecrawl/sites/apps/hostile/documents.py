"""What is no page of HTML: pictures, scripts and the like."""

import zlib

SCRIPTS = {
    "/policy.js": "document.getElementById('own').onclick = (event) => {"
    " document.getElementById('out').textContent = 'by its own script' }",
    "/busy-worker.js": "for (;;);",
    "/fetching-worker.js": "fetch(new URL(location).searchParams.get('to') + '/outside/worker',"
    " { mode: 'no-cors' })",
    "/service-worker.js": "onfetch = (event) => { if (event.request.url.includes('?worked'))"
    " event.respondWith(new Response('<p>by the worker</p><a href=\"/\">All pages</a>',"
    " { headers: { 'content-type': 'text/html' } })) }",
}
"""Scripts by their paths."""


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return len(data).to_bytes(4, "big") + kind + data + checksum.to_bytes(4, "big")


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", bytes((0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0)))
    + _chunk(b"IDAT", zlib.compress(b"\0\0"))
    + _chunk(b"IEND", b"")
)
"""A picture of one black point."""

DOCUMENTS: dict[str, tuple[str, bytes]] = {
    "pdf": (
        "application/pdf",
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]"
        b"/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF\n",
    ),
    "png": ("image/png", PNG),
    "json": ("application/json", b'{"pages": [1, 2, 3]}'),
    "txt": ("text/plain", b"Just text.\n"),
    "xml": ("application/xml", b"<pages><page>1</page></pages>"),
    "svg": (
        "image/svg+xml",
        b'<svg xmlns="http://www.w3.org/2000/svg"><a href="/"><text y="20">All</text></a></svg>',
    ),
    "css": ("text/css", b"p { color: red }"),
    "bin": ("application/octet-stream", bytes(range(256))),
}
"""Documents by the ending of their names, with their types."""

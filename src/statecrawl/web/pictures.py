"""Pictures of states: what kind they are, and small ones of them."""

from io import BytesIO

from PIL import Image

WIDTH, HEIGHT = 320, 200
QUALITY = 70


def media_type(picture: bytes) -> str:
    """Return what a picture is, by its first bytes: it was checked when it was stored."""
    if picture.startswith(b"\x89PNG"):
        return "image/png"
    return "image/webp" if picture.startswith(b"RIFF") else "image/jpeg"


def thumbnail(picture: bytes) -> bytes:
    """Return a small picture as JPEG: the upper part of a page, as wide as it is."""
    with Image.open(BytesIO(picture)) as image:
        image.draft("RGB", (WIDTH, HEIGHT))
        width, height = image.size
        shown = min(height, round(width * HEIGHT / WIDTH))
        small = image.convert("RGB").crop((0, 0, width, shown))
        small = small.resize(
            (WIDTH, max(1, round(WIDTH * shown / width))), Image.Resampling.LANCZOS
        )
        out = BytesIO()
        small.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()

"""Django's administration pages: an application of others with a known model, to label.

The package is fetched into a cache, at a fixed version, and served on the loopback with some users
and groups. Whoever asks is signed in. What a request changes in the database is taken back when it
is answered, so the data are the same whatever a crawl does.
"""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs, urlsplit

from benchmarks.applications import CACHE
from benchmarks.functional_pages import has_class
from statecrawl.core.resemblance import Page
from statecrawl.sites.server import serve_asgi

PACKAGE = "django==5.2.8"
USERS, GROUPS = 6, 3
TOYS = (".theme-toggle", "#nav-sidebar", "#toggle-nav-sidebar", "input[type=checkbox]", ".selector")
"""Controls that change how a page looks, or one of many choices in a form: thousands of states."""

VIEWS = {
    r"/": "index",
    r"/auth/": "application",
    r"/(auth/\w+)/": "list of",
    r"/(auth/\w+)/add/": "add",
    r"/(auth/\w+)/\d+/change/": "change",
    r"/(auth/\w+)/\d+/delete/": "delete",
    r"/(auth/\w+)/\d+/history/": "history of",
    r"/auth/user/\d+/password/": "password of user",
    r"/password_change/": "own password",
    r"/password_change/done/": "own password done",
    r"/logout/": "signed out",
    r"/login/": "sign in",
}
"""The paths of the application as its own resolver has them, and which view answers each."""


def label(page: Page, _: str) -> object:
    """By the view that answered, and whether it answered with errors, a message or as a popup.

    A list that is sorted, filtered or searched is the list.
    """
    url = urlsplit(page.url)
    for pattern, view in VIEWS.items():
        if found := re.fullmatch(pattern, url.path):
            said = {name for name in ("errornote", "messagelist") if has_class(page.root, name)}
            return view, found.groups(), frozenset(said), "_popup" in parse_qs(url.query)
    return url.path


@asynccontextmanager
async def administration() -> AsyncIterator[str]:
    """Serve the pages, and yield their URL."""
    sys.path.insert(0, str(_fetch()))
    with TemporaryDirectory() as folder:
        application = await asyncio.to_thread(_application, Path(folder) / "db.sqlite3")
        async with serve_asgi(application) as url:
            yield url


def _fetch() -> Path:
    """Return the folder of the package, fetched if it is not there."""
    folder = CACHE / PACKAGE
    if not folder.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
        subprocess.run([*command, PACKAGE], check=True)
    return folder


def _application(database: Path) -> Any:
    import django  # noqa: PLC0415 - fetched
    from django.conf import settings  # noqa: PLC0415 - fetched

    parts = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
    context = "django.contrib.{}.context_processors.{}"
    processors = [
        "django.template.context_processors.request",
        *(context.format(part, part) for part in ("auth", "messages")),
    ]
    settings.configure(
        SECRET_KEY="no secret: this is served to ourselves only",  # noqa: S106
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF=__name__,
        STATIC_URL="/static/",
        USE_TZ=True,
        MESSAGE_STORAGE="django.contrib.messages.storage.cookie.CookieStorage",
        INSTALLED_APPS=[f"django.contrib.{part}" for part in parts],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            f"{__name__}.signed_in",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": processors},
            }
        ],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(database)}},
    )
    django.setup()
    from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler  # noqa: PLC0415
    from django.core.asgi import get_asgi_application  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    _fill()
    return ASGIStaticFilesHandler(get_asgi_application())


def _fill() -> None:
    from django.contrib.auth.models import Group, Permission, User  # noqa: PLC0415 - fetched

    User.objects.create_superuser("ada", "ada@test.test", "ada")
    for number in range(USERS):
        User.objects.create_user(f"user{number}", first_name=f"First {number}", is_staff=number < 2)
    for number in range(GROUPS):
        group = Group.objects.create(name=f"group {number}")
        group.permissions.set(Permission.objects.all()[number : number + 2])


def signed_in(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let everybody be the administrator, and take back what a request changes."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - fetched
    from django.db import transaction  # noqa: PLC0415 - fetched

    def respond(request: Any) -> Any:
        with transaction.atomic():
            request.user = User.objects.get(username="ada")
            response = answer(request)
            if hasattr(response, "render"):
                response = response.render()
            transaction.set_rollback(True)
        return response

    return respond


def __getattr__(name: str) -> Any:
    """Give Django the addresses of the application when it asks for them: they need Django."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.contrib import admin  # noqa: PLC0415 - fetched
    from django.urls import path  # noqa: PLC0415 - fetched

    return [path("", admin.site.urls)]

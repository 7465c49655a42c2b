"""How to sign in: a short list of steps, one a line, that never holds a secret itself.

    open /login
    fill "User name" with $BANK_USER
    fill "Password" with $BANK_PASSWORD
    click "Sign in"
    expect "Welcome"

`$NAME` stands for an environment variable. Fields and controls are named by their label, their
name, their placeholder or, after `css=`, a CSS selector. `basic $USER $PASSWORD` is for servers
that ask before they show anything.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from statecrawl.errors import InputError

SIGNED_OUT = "signed_out"
"""What it is called when the application has forgotten us."""

MAX_CHARACTERS = 20_000
MAX_LINES = 200

_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"(?=\s|$)|([^\s"]\S*))')
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_SECRET = re.compile(r"passw|passphrase|passcode|pwd|secret", re.IGNORECASE)
_FORMS = {
    "open": "open URL",
    "fill": 'fill "FIELD" with $NAME',
    "click": 'click "CONTROL"',
    "expect": 'expect "TEXT"',
    "basic": "basic $USER $PASSWORD",
}


class Value(NamedTuple):
    """What is typed: a text, or what an environment variable holds."""

    text: str
    is_variable: bool = False


class Open(NamedTuple):
    """Load a document; its URL may be relative to the one that is crawled."""

    url: str


class Fill(NamedTuple):
    """Type something into a field."""

    field: str
    value: Value


class Click(NamedTuple):
    """Click a control."""

    control: str


class Expect(NamedTuple):
    """Be sure that the page shows a text."""

    text: str


Step = Open | Fill | Click | Expect


class Basic(NamedTuple):
    """What a server is told that asks by itself."""

    user: Value
    password: Value


@dataclass(frozen=True)
class Login:
    """The steps that sign in, and what a server is told that asks by itself."""

    steps: tuple[Step, ...] = ()
    basic: Basic | None = None

    @property
    def door(self) -> tuple[str, ...]:
        """The fields by which the login form is known: those filled before anything is clicked."""
        fields: dict[str, None] = {}
        for step in self.steps:
            if isinstance(step, Fill):
                fields[step.field] = None
            elif isinstance(step, Click) and fields:
                break
        return tuple(fields)

    @property
    def sign(self) -> str:
        """The text that tells that one is signed in; nothing when none is named."""
        texts = [step.text for step in self.steps if isinstance(step, Expect)]
        return texts[-1] if texts else ""

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the environment variables that the login needs, each once."""
        return tuple(dict.fromkeys(value.text for value in self._values() if value.is_variable))

    def _values(self) -> Iterator[Value]:
        for step in self.steps:
            if isinstance(step, Fill):
                yield step.value
        if self.basic is not None:
            yield from self.basic

    def values(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return what the variables hold, or say which are not set."""
        missing = [name for name in self.variables if not environment.get(name)]
        if missing:
            raise InputError(
                f"the login needs {_listed(missing)}: "
                f"set {'it' if len(missing) == 1 else 'them'} in the environment"
            )
        return {name: environment[name] for name in self.variables}

    def secret_variables(self) -> frozenset[str]:
        """Return the variables that are secrets as far as their names or those of fields tell."""
        found = {name for name in self.variables if _SECRET.search(name)}
        for step in self.steps:
            if isinstance(step, Fill) and step.value.is_variable and is_secret(step.field):
                found.add(step.value.text)
        if self.basic is not None:
            found.add(self.basic.password.text)
        return frozenset(found)


def is_secret(field: str) -> bool:
    """Tell whether a field is for a password, as far as its name tells."""
    return _SECRET.search(field) is not None


def parse_login(text: str) -> Login:
    """Return the login that a text describes, or say in one line what is wrong with it."""
    lines = text.split("\n")
    if len(text) > MAX_CHARACTERS or len(lines) > MAX_LINES:
        raise InputError(
            f"a login has at most {MAX_LINES} lines and {MAX_CHARACTERS:,} characters: "
            "is this the right file?"
        )
    steps: list[Step] = []
    basic: Basic | None = None
    for number, line in enumerate(lines, start=1):
        words = _words(line, number)
        if not words:
            continue
        step = _step(words, number)
        if not isinstance(step, Basic):
            steps.append(step)
        elif basic is None:
            basic = step
        else:
            raise _wrong(number, "basic is given twice: give it once")
    if not steps and basic is None:
        raise InputError(f"the login has no steps: begin with `{_FORMS['open']}`")
    return Login(tuple(steps), basic)


class _Word(NamedTuple):
    text: str
    is_quoted: bool


def _words(line: str, number: int) -> list[_Word]:
    """Return the words of a line; what stands in quotes is one, and # begins a comment."""
    words = []
    at = 0
    line = line.rstrip()
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            raise _wrong(number, 'a " has no end: a text stands in a pair of them')
        quoted, plain = match.groups()
        if plain is not None and plain.startswith("#"):
            break
        if plain is not None:
            words.append(_Word(plain, False))
        else:
            unescaped = _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), quoted)
            words.append(_Word(unescaped, True))
        at = match.end()
    return words


def _step(words: list[_Word], number: int) -> Step | Basic:
    verb = "" if words[0].is_quoted else words[0].text
    match verb, words[1:]:
        case "open", [url] if url.text:
            return Open(url.text)
        case "fill", [field, _Word("with", False), value] if field.text:
            return _fill(field.text, _value(value, number), number)
        case "click", [control] if control.text:
            return Click(control.text)
        case "expect", [text] if text.text.strip():
            return Expect(text.text)
        case "basic", [user, password]:
            return _basic(_value(user, number), _value(password, number), number)
    if verb in _FORMS:
        raise _wrong(number, f"write `{_FORMS[verb]}`")
    raise _wrong(number, f"begin a step with one of {', '.join(_FORMS)}")


def _fill(field: str, value: Value, number: int) -> Fill:
    if is_secret(field) and not value.is_variable:
        raise _wrong(number, NO_LITERAL)
    return Fill(field, value)


def _basic(user: Value, password: Value, number: int) -> Basic:
    if not password.is_variable:
        raise _wrong(number, NO_LITERAL)
    return Basic(user, password)


NO_LITERAL = "a password comes from an environment variable: write $NAME for it"


def _value(word: _Word, number: int) -> Value:
    if word.is_quoted or not word.text.startswith("$"):
        return Value(word.text)
    name = word.text[1:]
    if not _NAME.fullmatch(name):
        raise _wrong(number, 'after $ stands the name of a variable; a text stands in "quotes"')
    return Value(name, True)


def _wrong(number: int, problem: str) -> InputError:
    """Return an error that names the line but does not quote it: it may hold a secret."""
    return InputError(f"line {number} of the login: {problem}")


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def format_login(login: Login) -> str:
    """Return a login as a text that `parse_login` reads."""
    lines = [_line(step) for step in login.steps]
    if login.basic is not None:
        lines.insert(0, f"basic {_written(login.basic.user)} {_written(login.basic.password)}")
    return "".join(f"{line}\n" for line in lines)


def _line(step: Step) -> str:
    match step:
        case Open(url):
            return f"open {url if _is_plain(url) else _quoted(url)}"
        case Fill(field, value):
            return f"fill {_quoted(field)} with {_written(value)}"
        case Click(control):
            return f"click {_quoted(control)}"
        case Expect(text):
            return f"expect {_quoted(text)}"


def _is_plain(url: str) -> bool:
    return re.fullmatch(r'[^\s"#$]\S*', url) is not None


def _written(value: Value) -> str:
    return f"${value.text}" if value.is_variable else _quoted(value.text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for letter, character in _ESCAPES.items():
        escaped = escaped.replace(character, f"\\{letter}")
    return f'"{escaped}"'

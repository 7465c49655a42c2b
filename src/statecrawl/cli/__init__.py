"""The command line. Each command is thin: it picks parts, runs them, prints what they found."""

from statecrawl.cli import crawl, demo, diff, login, look, page, search, simulate, sites
from statecrawl.cli.app import main

__all__ = ["crawl", "demo", "diff", "login", "look", "main", "page", "search", "simulate", "sites"]

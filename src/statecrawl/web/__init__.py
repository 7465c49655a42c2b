"""The web page over a crawl, from a server or as files; its own sources are in `frontend/`."""

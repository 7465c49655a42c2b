"""The pure heart: facts, the model, ways through it, and the crawl session.

Nothing here does I/O, reads a clock or draws a random number; whatever runs a crawl (a
simulator, tabs, a cluster) feeds facts in and carries plans out.
"""

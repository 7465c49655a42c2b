"""`python -m statecrawl` is the command `statecrawl`."""

from statecrawl.cli import main

if __name__ == "__main__":
    main()

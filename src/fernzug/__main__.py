"""``python -m fernzug`` is the command line."""

from fernzug.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

"""``python -m fernzug`` runs the command line."""

from fernzug.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

"""Tests of games, and of how they begin, are seen, written down and read again."""

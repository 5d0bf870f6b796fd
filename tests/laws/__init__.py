"""Laws that hold at every table."""

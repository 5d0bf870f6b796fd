"""The authority over one table, without any transport: seats, tokens, versions, clock, undo."""

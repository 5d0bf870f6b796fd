"""The family of route-building railway games on one engine."""

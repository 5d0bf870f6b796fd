"""Golden playthroughs: short games with everything that is said at every step."""

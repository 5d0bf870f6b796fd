"""The rules, chapter by chapter; every test names the rule it proves."""

"""Tests of the project itself: documents, translations, layers, and how it is extended."""

"""Tests of the table authority, without any network."""

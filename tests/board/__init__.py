"""Tests of boards and board files."""

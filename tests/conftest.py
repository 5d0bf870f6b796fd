"""What all tests share: this folder is on the import path, so that they can use its helpers."""

from hypothesis import settings

# Machines that build and test at the same time are slow now and then, which proves nothing.
settings.register_profile("fernzug", deadline=None, derandomize=True)
settings.load_profile("fernzug")

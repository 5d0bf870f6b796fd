"""The loss of the file system's cache costs nothing that was acknowledged."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import power_cut

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="libraries are preloaded as on Linux"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
]


def test_what_was_acknowledged_survives_a_power_cut(tmp_path: Path) -> None:
    figures = power_cut.run(tmp_path, cuts=3, number=3, seed=1)
    assert figures["moves"] > 0


@pytest.mark.parametrize("level", ["NORMAL", "OFF"])
def test_a_store_that_skips_a_sync_is_caught(tmp_path: Path, level: str) -> None:
    with pytest.raises(power_cut.Lost, match="was acknowledged"):
        power_cut.run(tmp_path, cuts=3, number=3, seed=1, forget=level)

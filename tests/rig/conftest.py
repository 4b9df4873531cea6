from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from virtual_table import VirtualTable, missing_parts


def complain_if_parts_are_missing() -> None:
    """Skip the test, or fail where the rig is required."""
    missing = missing_parts()
    if missing:
        explain = pytest.fail if os.environ.get("GM_ASSISTANT_REQUIRE_RIG") == "1" else pytest.skip
        explain(f"the virtual sound devices need: {', '.join(missing)}")


@pytest.fixture(scope="session")
def _running_table() -> Iterator[VirtualTable]:
    complain_if_parts_are_missing()
    with VirtualTable() as table:
        yield table


@pytest.fixture
def virtual_table(_running_table: VirtualTable) -> Iterator[VirtualTable]:
    """One set of devices for all tests; the headset is plugged in again for each."""
    _running_table.plug_headset()
    yield _running_table
    _running_table.plug_headset()

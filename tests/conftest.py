"""Tests that take long by themselves are left to `make slow`."""

import os

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a busy machine decides no test
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is marked slow, unless APIGAP_SLOW is set."""
    if not os.environ.get("APIGAP_SLOW"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="takes long: make slow"))

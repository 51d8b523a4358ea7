"""Licences read off the wheels on the index."""

import pytest

from apigap.discovery.library import find_library
from apigap.knowledge.licence_matrix import licence_matrix


@pytest.mark.network
def test_a_row_per_library_by_its_wheel_s_metadata() -> None:
    rows = list(licence_matrix(find_library(name) for name in ("ase", "flask")))
    assert [(row.library, row.licence.kind, row.shared) for row in rows] == [
        ("ase", "copyleft", False), ("flask", "permissive", True),
    ]  # fmt: skip
    assert all(row.version in row.licence.where for row in rows)

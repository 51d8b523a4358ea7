"""Licences read off the metadata of a wheel."""

import pytest

from apigap.knowledge.licences import read_licence

ROWS = [
    ("License-Expression: MIT", "permissive", "MIT"),
    ("License-Expression: BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", "permissive", None),
    ("License-Expression: MIT AND LGPL-2.1-or-later", "copyleft", None),
    ("License-Expression: GPL-3.0-only OR Apache-2.0", "permissive", None),
    ("License-Expression: MIT AND LicenseRef-Own", "unknown", None),
    ("Classifier: License :: OSI Approved :: BSD License", "permissive", "BSD License"),
    (
        "Classifier: License :: OSI Approved :: GNU Lesser General Public License v2 or later (LGPLv2+)",
        "copyleft",
        "GNU Lesser General Public License v2 or later (LGPLv2+)",
    ),
    ("License: LGPLv2.1+", "copyleft", "LGPLv2.1+"),
    ("License: BSD-3-Clause", "permissive", None),
    ("License: see the file", "unknown", "see the file"),
    ("Name: lib", "unknown", ""),
    (
        "License-Expression: MIT\nClassifier: License :: OSI Approved :: GNU General Public License (GPL)",
        "permissive",
        "MIT",
    ),
]


@pytest.mark.parametrize(("headers", "kind", "text"), ROWS)
def test_the_kind_of_a_licence(headers: str, kind: str, text: str | None) -> None:
    found = read_licence(f"Metadata-Version: 2.4\n{headers}\n\nLong text about GPL.\n", "METADATA")
    assert found.kind == kind
    assert text is None or found.text == text

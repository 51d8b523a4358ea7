"""Tasks in the release's record format, written for these tests, for packaging 24.1 and httpx 0.28.1.

`monitor` does what the release's own monitor does (it replaces the target wherever a loaded module of the package
holds it, and counts), under the names that the release's tests read.
"""

import json
from pathlib import Path
from typing import Any

VERSIONS = {"packaging": "24.1", "httpx": "0.28.1"}
_MONITOR = """import sys as _spy_sys
from importlib import import_module as _spy_import
_target_api_call_count = [0]
_target_api_spy_installed = False
_home = _spy_import({module!r})
_original = getattr(_home, {leaf!r})
if isinstance(_original, type):
    class _watcher(_original):
        def __init__(self, *a, **k):
            _target_api_call_count[0] += 1
            super().__init__(*a, **k)
else:
    def _watcher(*a, **k):
        _target_api_call_count[0] += 1
        return _original(*a, **k)
for _name, _module in list(_spy_sys.modules.items()):
    if _name.partition(".")[0] == {package!r}:
        for _key, _value in list(vars(_module).items()):
            if _value is _original:
                setattr(_module, _key, _watcher)
_target_api_spy_installed = True
"""
CHECK = """assert _target_api_spy_installed, "no monitor"
assert _target_api_call_count[0] > 0, "solution did not call target API"
_target_api_call_count[0] = 0
"""


def monitor(api_name: str) -> str:
    module, _, leaf = api_name.rpartition(".")
    return _MONITOR.format(module=module, leaf=leaf, package=api_name.partition(".")[0])


def row(task_id: str, api_name: str, context: str, masked: str, test: str, **changes: Any) -> dict[str, Any]:
    """One line of tasks.jsonl; `test` follows the monitor's assertion."""
    harness = {
        "setup_code": monitor(api_name), "execution_test": CHECK + test, "shape_type_test": "", "mock_test": "",
        "target_api": api_name, "generation_method": "execute_then_assert",
        "scenarios_succeeded": 6, "scenarios_total": 6,
    }  # fmt: skip
    made = {
        "task_id": task_id, "api_name": api_name, "library": api_name.partition(".")[0], "domain": "swe",
        "difficulty": "easy", "description": "Write the missing lines.", "context_code": context,
        "masked_region": masked, "reference_solution": context + masked, "test_harness": harness,
    }  # fmt: skip
    return {**made, **changes}


def with_harness(made: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**made, "test_harness": {**made["test_harness"], **changes}}


SORT = row(
    "llm_sort", "packaging.version.parse", 'texts = ["1.10", "1.9", "1.9rc1"]\n',
    "import packaging.version\nordered = sorted(texts, key=packaging.version.parse)\nnewest = ordered[-1]\n",
    "assert newest == '1.10'\nassert ordered == ['1.9rc1', '1.9', '1.10']\n",
)  # fmt: skip
CLASS = row(
    "llm_class", "packaging.specifiers.SpecifierSet", "from packaging.version import Version\nwanted = '>=1.0,<2.0'\n",
    "fits = packaging.specifiers.SpecifierSet(wanted, prereleases=True).contains(Version('1.5rc1'))\n",
    "def test_execution():\n    assert fits is True\n    assert len(packaging.specifiers.SpecifierSet('<3')) == 1\n",
)  # fmt: skip
HEADERS = row(
    "llm_headers", "httpx.Headers", "from __future__ import annotations\n\npairs = [('A', '1'), ('B', '2')]\n",
    "hash = Headers(pairs)['a']\n",
    "assert hash == '1'\n",
)  # fmt: skip
LIBRARY_ONLY = row(
    "llm_library", "packaging.utils.canonicalize_name", "name = 'My_Package'\n",
    "import packaging.utils\nresult = packaging.utils.canonicalize_name(name).upper()\n",
    "from packaging.utils import canonicalize_name\nresult = canonicalize_name('A_b')\nassert result == 'a-b'\n",
)  # fmt: skip
NO_MONITOR = with_harness(
    row("llm_bare", "packaging.utils.canonicalize_name", "name = 'My_Package'\n",
        "from packaging.utils import canonicalize_name\nresult = canonicalize_name(name)\n", ""),
    setup_code="", execution_test="from packaging.utils import canonicalize_name as f\nassert f('A_b') == 'a-b'\n",
)  # fmt: skip
HELPED = row(
    "llm_helped", "packaging.version.parse",
    "texts = ['1.10', '1.9', '1.9rc1']\ndef same(a, b):\n    return a == b\n"
    "class Box:\n    def __init__(self, value):\n        self.value = value\n",
    "import packaging.version\nordered = sorted(texts, key=packaging.version.parse)\nbox = Box(ordered[-1])\n",
    "import math\nassert isinstance(box, Box) and same(box.value, '1.10') and same(ordered[0], '1.9rc1')\n"
    "assert math.isclose(len(ordered), 3)\n",
)  # fmt: skip
TASKS = [SORT, CLASS, HEADERS, LIBRARY_ONLY, NO_MONITOR]


def expected(task: dict[str, Any], *records: dict[str, Any], source: str = "masked_region") -> dict[str, Any]:
    """One line of expected_calls.jsonl."""
    return {
        "task_id": task["task_id"], "api_name": task["api_name"], "status": "ok", "expected": list(records),
        "reference_source": source, "n_runs": 4,
    }  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(found) + "\n" for found in rows), "utf-8")
    return path

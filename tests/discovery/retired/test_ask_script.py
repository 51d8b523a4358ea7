"""What a release answers to names, from a small package that is imported here."""

from pathlib import Path

import pytest

from apigap.discovery.retired import ask_script

FILES = {
    "__init__.py": "def f(): ...\ndef __getattr__(name):\n    raise ImportError(name + ' was removed')\n",
    "needs.py": "import nothing_of_the_name\n",
    "extra.py": "raise ImportError('the extra is not installed')\n",
    "empty.py": "",
}


@pytest.mark.parametrize(
    ("name", "state", "text"),
    [
        ("f", "there", ""),
        ("g", "gone", "ImportError: g was removed"),
        ("empty.g", "gone", "AttributeError: module"),
        ("needs.g", "unread", "ModuleNotFoundError: No module named 'nothing_of_the_name'"),
        ("extra.g", "unread", "ImportError: the extra is not installed"),
    ],
)
def test_a_name_is_there_or_gone_or_cannot_be_told(
    name: str, state: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = f"asked_{tmp_path.name.replace('-', '_')}"
    folder = tmp_path / package
    folder.mkdir()
    for file, source in FILES.items():
        (folder / file).write_text(source if "." not in name or file != "__init__.py" else "")
    monkeypatch.syspath_prepend(tmp_path)
    found = ask_script.main({"names": [f"{package}.{name}"], "modules": [], "prepare": ""})
    assert found[f"{package}.{name}"][0] == state
    assert found[f"{package}.{name}"][1].startswith(text)

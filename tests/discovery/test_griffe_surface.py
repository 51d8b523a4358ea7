"""Facts that the text of a library adds to the walk; it never replaces one."""

from pathlib import Path

from apigap.discovery.surface import Entry
from tests.discovery.packages import surface_of

HIDDEN = """
__all__ = ['f']
class _Compiled:
    '''Do f.'''
    __name__ = 'f'
    __module__ = 'lib._f'
    @property
    def __signature__(self): raise ValueError('no signature')
    def __call__(self): pass
f = _Compiled()
"""
STUB = """
from typing import overload
@overload
def f(a: int) -> int: ...
@overload
def f(a: str, b: int = 3, *, c: bool = ...) -> str: ...
"""


def entry(folder: Path, files: dict[str, str], name: str) -> Entry:
    return next(entry for entry in surface_of(folder, files).entries if entry.name == name)


def test_overloads_in_a_stub_give_the_signature_that_the_object_hides(tmp_path: Path) -> None:
    files = {"lib/__init__.py": HIDDEN}  # the stub stands alone, as beside a compiled module
    assert entry(tmp_path / "1", files, "lib.f").signature is None
    found = entry(tmp_path / "2", {**files, "lib/_f.pyi": STUB}, "lib.f")
    assert found.signature == "(a: str, b: int = 3, *, c: bool = ...) -> str"
    assert found.facts == {"docstring": "runtime", "parameters": "griffe", "return_type": "griffe"}


def test_what_runs_counts_more_than_what_is_written(tmp_path: Path) -> None:
    text = "__all__ = ['f']\ndef f(a): 'Written.'\ng = f\ndef f(a, b): 'Runs.'\n"
    found = entry(tmp_path, {"lib/__init__.py": text}, "lib.f")
    assert (found.signature, found.docstring, found.sources) == ("(a, b)", "Runs.", ("runtime", "griffe"))
    assert found.source == "lib/__init__.py:4"


def test_a_deprecated_decorator_counts_where_it_leaves_no_mark(tmp_path: Path) -> None:
    text = "__all__ = ['f']\ndef deprecated(g): return g\n@deprecated\ndef f(a): 'Do f.'\n"
    found = entry(tmp_path, {"lib/__init__.py": text}, "lib.f")
    assert found.deprecated
    assert found.facts["deprecated"] == "griffe"


def test_modules_that_cannot_be_imported_are_read_as_text(tmp_path: Path) -> None:
    text = "import missing\n__all__ = ['C']\nclass C:\n    'C.'\n    @property\n    def p(self): 'P.'\n"
    text += "    def m(self, a): 'M.'\n"
    surface = surface_of(tmp_path, {"lib/__init__.py": "", "lib/a.py": text})
    assert {(e.name, e.kind, e.sources) for e in surface.entries} == {
        ("lib.a.C", "class", ("griffe",)),
        ("lib.a.C.p", "property", ("griffe",)),
        ("lib.a.C.m", "method", ("griffe",)),
    }
    assert next(e.signature for e in surface.entries if e.name == "lib.a.C.m") == "(a)"


def test_a_class_whose_body_imports_from_elsewhere(tmp_path: Path) -> None:
    text = "class C:\n    from json import JSONDecoder\n    def __init__(self): self.a = 1\n"
    assert set(entry(tmp_path, {"lib/__init__.py": text}, "lib.C").others) >= {"a"}


def test_a_decorator_for_deprecated_parameters_deprecates_no_function(tmp_path: Path) -> None:
    head = "__all__ = ['f']\ndef deprecated_params(**names): return lambda g: g\n"
    text = f"{head}@deprecated_params(a='1.0')\ndef f(a): 'Do f.'\n"
    assert not entry(tmp_path, {"lib/__init__.py": text}, "lib.f").deprecated

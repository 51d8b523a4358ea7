"""Directives in source text, by the full name of what they stand in; nothing is imported."""

from pathlib import Path

from tools.discovery.source_notes import sightings_in_source

from apigap.discovery.evidence.version_notes import sightings_on_page

TEXT = '''
"""The module.

.. versionadded:: 0.1
"""
raise SystemExit("never run")

def f(a):
    """Do f.

    .. versionadded:: 1.0
    """
    def inner():
        """.. versionadded:: 9.0"""

def _private():
    """.. versionadded:: 9.1"""

if True:
    class C:
        """A class.

        Parameters
        ----------
        a : int
            .. versionadded:: 1.1
        """
        data: int = 3
        """Data.

        .. versionadded:: 1.2
        """
        @property
        def p(self):
            """.. versionadded:: 1.3"""

add_newdoc("lib.core", "compiled", """
    Compiled.

    .. versionadded:: 1.4
    """)
add_newdoc("lib.core", "Array", ("sort", """.. versionadded:: 1.5"""))
add_newdoc("ufunc", """.. versionadded:: 1.6""")
'''


def test_names_of_the_place_of_definition(tmp_path: Path) -> None:
    (tmp_path / "lib" / "tests").mkdir(parents=True)
    (tmp_path / "lib" / "sub.py").write_text(TEXT)
    (tmp_path / "lib" / "tests" / "a.py").write_text(TEXT)
    (tmp_path / "lib" / "broken.py").write_text("def f(:\n    '''.. versionadded:: 9.2'''")
    (tmp_path / "other.py").write_text(TEXT)
    found = {(s.names, s.directive.version, s.directive.part) for s in sightings_in_source(tmp_path, ["lib"])}
    assert found == {
        (("lib.sub.f",), "1.0", "object"),
        (("lib.sub.C",), "1.1", "parameter"),
        (("lib.sub.C.data",), "1.2", "object"),
        (("lib.sub.C.p",), "1.3", "object"),
        (("lib.core.compiled",), "1.4", "object"),
        (("lib.core.Array.sort",), "1.5", "object"),
        (("lib.ufunc",), "1.6", "object"),
    }


def test_where_a_directive_stands(tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text('def f():\n    """Do f.\n\n    .. versionadded:: 1.0\n    """\n')
    assert [sighting.where for sighting in sightings_in_source(tmp_path, ["lib"])] == ["lib.py:4"]


def test_a_page_names_only_what_it_describes() -> None:
    head = ".. versionadded:: 1.0\n\n.. module:: lib.a\n\n"
    page = f"{head}.. class:: C\n\n   .. method:: m()\n\n      .. versionadded:: 2.0\n"
    assert [(s.names, s.where) for s in sightings_on_page(page, ("lib",), "docs/a.rst")] == [
        (("lib.a.C.m", "C.m", "lib.C.m"), "docs/a.rst:9")
    ]

"""The libraries known by name, and one of the user's own."""

from datetime import date
from pathlib import Path

import pytest

from apigap.discovery.describe_library import describe_library, guess_domain
from apigap.discovery.library import LibraryConfig, find_library, known_libraries, write_library
from apigap.discovery.versions import companions_of, newest_before
from apigap.packages.index import release, releases
from apigap.records.errors import CorruptRecord, UsageError

CUTOFFS = (date(2023, 12, 1), date(2024, 9, 1), date(2024, 11, 12), date(2025, 1, 20), date(2025, 6, 4))
PUBLISHED: dict[str, tuple[str, str]] = {  # the new version, and the old ones by cutoff
    "MDAnalysis": ("2.10.0", "2.6.1 2.7.0 2.7.0 2.8.0 2.9.0"),
    "ase": ("3.28.0", "3.22.1 3.23.0 3.23.0 3.24.0 3.25.0"),
    "astropy": ("7.2.0", "6.0.0 6.1.3 6.1.6 7.0.0 7.1.0"),
    "deepchem": ("2.8.0", "2.7.1 2.8.0 2.8.0 2.8.0 2.8.0"),
    "diffusers": ("0.38.0", "0.24.0 0.30.2 0.31.0 0.32.2 0.33.1"),
    "django": ("5.2.13", "4.2.7 5.1 5.1.3 5.1.5 5.2.1"),
    "fastapi": ("0.136.1", "0.104.1 0.112.2 0.115.4 0.115.6 0.115.12"),
    "fastmcp": ("3.2.4", "none none none 0.4.1 2.6.1"),
    "flask": ("3.1.3", "3.0.0 3.0.3 3.0.3 3.1.0 3.1.1"),
    "httpx": ("0.28.1", "0.25.2 0.27.2 0.27.2 0.28.1 0.28.1"),
    "langgraph": ("1.1.10", "none 0.2.15 0.2.45 0.2.64 0.4.8"),
    "numpy": ("2.4.4", "1.26.2 2.1.0 2.1.3 2.2.2 2.2.6"),
    "pandas": ("3.0.2", "2.1.3 2.2.2 2.2.3 2.2.3 2.2.3"),
    "pydantic": ("2.13.3", "2.5.2 2.8.2 2.9.2 2.10.5 2.11.5"),
    "pymatgen": ("2026.3.23", "2023.11.12 2024.8.9 2024.10.29 2025.1.9 2025.5.28"),
    "rdkit": ("2026.3.1", "2023.9.2 2024.3.5 2024.3.6 2024.9.4 2025.3.2"),
    "scanpy": ("1.11.5", "1.9.6 1.10.2 1.10.3 1.10.4 1.11.2"),
    "scipy": ("1.17.1", "1.11.4 1.14.1 1.14.1 1.15.1 1.15.3"),
    "sqlalchemy": ("2.0.49", "2.0.23 2.0.32 2.0.36 2.0.37 2.0.41"),
    "torch": ("2.11.0", "2.1.1 2.4.0 2.5.1 2.5.1 2.7.0"),
    "transformers": ("5.7.0", "4.35.2 4.44.2 4.46.2 4.48.0 4.52.4"),
}


def test_every_published_library_is_configured() -> None:
    known = {config.name: config for config in known_libraries()}
    assert {name: known[name].new for name in PUBLISHED} == {name: new for name, (new, _) in PUBLISHED.items()}
    assert {name for name, config in known.items() if config.read == "static"} >= {"torch", "diffusers", "transformers"}
    assert known["langgraph"].companions == ("langgraph-prebuilt",)
    assert find_library("mdanalysis").name == "MDAnalysis"


@pytest.mark.network
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_table(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    known = releases(find_library(name).distribution)
    old = [newest_before(known, cutoff, to_run=False) or "none" for cutoff in CUTOFFS]
    assert " ".join(old) == PUBLISHED[name][1]
    assert PUBLISHED[name][0] in {found.version for found in known}


@pytest.mark.network
def test_a_companion_is_taken_as_of_the_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    config = find_library("langgraph")
    by_version = {
        version: [found.version for found in companions_of(config, release("langgraph", version))]
        for version in ("0.2.45", "0.4.8", "1.1.10")
    }
    assert by_version["0.2.45"] == []  # it was a part of langgraph then
    assert [len(versions) for versions in by_version.values()] == [0, 1, 1]
    assert by_version["0.4.8"] != by_version["1.1.10"]


@pytest.mark.network
def test_a_pinned_companion_is_taken_though_it_was_withdrawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    config = find_library("pymatgen")
    named = {
        version: [(found.version, found.yanked) for found in companions_of(config, release("pymatgen", version))]
        for version in ("2023.11.12", "2026.3.23")
    }
    assert named == {"2023.11.12": [], "2026.3.23": [("2026.3.9", True)]}


@pytest.mark.network
def test_a_library_is_described_by_the_index_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    config = describe_library("SCIKIT_learn")
    assert (config.name, config.domain, config.read) == ("scikit-learn", "data_science", "runtime")
    path = write_library(config)
    assert find_library("scikit.learn") == config
    assert config in known_libraries()
    with pytest.raises(UsageError, match="there already"):
        write_library(config)
    path.write_text("distribution: scikit-learn\nversion: 1\n")
    with pytest.raises(CorruptRecord, match=r"scikit-learn\.yaml does not describe a library"):
        known_libraries()


def test_the_users_own_file_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_library(LibraryConfig(name="flask", distribution="flask", new="3.0.0", domain="swe"))
    assert find_library("Flask").new == "3.0.0"
    monkeypatch.chdir("/")
    assert find_library("flask").new == "3.1.3"
    monkeypatch.setenv("APIGAP_LIBRARIES", str(tmp_path / "configs" / "libraries"))
    assert find_library("flask").new == "3.0.0"


@pytest.mark.parametrize("name", ["", "a b", "../etc", "-x", "a/b", "ü"])
def test_what_cannot_be_a_name(name: str) -> None:
    for use in (find_library, describe_library):
        with pytest.raises(UsageError, match="cannot be the name"):
            use(name)


@pytest.mark.parametrize(
    "text", ["- a", "new: [1]", "domain: swe\nread: maybe", "{", "companions: ['a b']", "prepare: 'def ('"]
)
def test_a_file_that_describes_nothing(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.yaml").write_text(text)
    monkeypatch.setenv("APIGAP_LIBRARIES", str(tmp_path))
    with pytest.raises(CorruptRecord, match=r"x\.yaml does not describe a library"):
        find_library("x")


@pytest.mark.parametrize(
    ("classifiers", "words", "domain"),
    [
        (["Topic :: Internet :: WWW/HTTP"], "", "swe"),
        (["Framework :: Django", "Topic :: Scientific/Engineering :: Astronomy"], "", "ai4science"),
        (["Topic :: Scientific/Engineering :: Mathematics"], "", "data_science"),
        (["Topic :: Scientific/Engineering :: Artificial Intelligence"], "", "dl"),
        (["Topic :: Internet"], "Build MCP servers", "agent_tool"),
        (["Programming Language :: Python"], "", "other"),
    ],
)
def test_the_domain_is_guessed(classifiers: list[str], words: str, domain: str) -> None:
    assert guess_domain(classifiers, words) == domain

"""The surface of an installed library, by walking it in the sandbox; griffe adds what only the text has."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from apigap.discovery.distribution import modules_of
from apigap.discovery.static.griffe_surface import supplement
from apigap.discovery.surface import Entry, Fact, Reader, Surface, cached_surface, says_deprecated
from apigap.records.base import content_hash
from apigap.records.candidate import Evidence
from apigap.records.errors import InfrastructureError
from apigap.records.paths import cache_home
from apigap.records.sources import modules_hash, source_hash
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import Limits

WALK_SECONDS = 900.0


_WALK = Path(__file__).parent / "walk"
_READERS = (
    "apigap.discovery.run_time",
    "apigap.discovery.static.griffe_facts",
    "apigap.discovery.static.griffe_surface",
    "apigap.discovery.surface",
)


def read_surface(
    environment: Environment, engine: Engine, companions: Sequence[str] = (), prepare: str = ""
) -> Surface:
    """The surface of the library in `environment`; read once, then kept under the environment's lock.

    What is read without isolation, or within limits of the user's own, is kept apart from all else.

    `companions` are further distributions there whose modules belong to the library, `prepare` is Python to run first.

    Raises:
        InfrastructureError: when the walk cannot run, or gives something that is no surface.
    """
    key = _key(environment, companions, prepare)
    if not engine.profile.contained or engine.limits != Limits():
        key += f"-{content_hash([engine.profile.backend, engine.limits.model_dump(mode='json')], length=8)}"
    kept = cache_home() / "surfaces" / f"{environment.library}-{environment.version}-{key}.json"
    return cached_surface(kept, lambda: _read(environment, engine, companions, prepare))


def runtime_surface(library: str, version: str | None, walked: Any) -> Surface:
    """The answer of the walk as a surface. It comes out of the sandbox, so nothing in it is taken on trust.

    Raises:
        InfrastructureError: when it has not the form of a surface.
    """
    try:
        entries = tuple(_runtime_entry(entry) for entry in walked["entries"])
        rest = {key: walked[key] for key in ("tops", "modules", "failures", "variables")}
        return Surface(library=library, version=version, entries=entries, **rest)
    except (ValidationError, LookupError, TypeError, AttributeError) as error:
        raise InfrastructureError(
            f"the walk of {library} {version} gave no surface ({error}); the library may interfere with it"
        ) from error


def _runtime_entry(walked: dict[str, Any]) -> Entry:
    evidence = tuple(Evidence(kind=kind, where=where) for kind, where in walked.pop("evidence"))
    facts: dict[Fact, Reader] = {}
    parameters_from: Reader = walked.pop("parameters_from")
    for fact in ("parameters", "return_type", "docstring"):
        if walked.get(fact) is not None:
            facts[fact] = "runtime" if fact == "docstring" else parameters_from
    deprecated = walked.pop("deprecated") or says_deprecated(walked["docstring"])
    if deprecated:
        facts["deprecated"] = "runtime"
    known = {"evidence": evidence, "deprecated": deprecated, "facts": facts, "sources": ("runtime",)}
    return Entry.model_validate({**walked, **known})


def _read(environment: Environment, engine: Engine, companions: Sequence[str], prepare: str) -> Surface:
    modules = modules_of(environment.library, environment.site_packages, companions)
    argument = {"tops": modules.tops, "modules": modules.public, "prepare": prepare}
    walked = engine.script(environment, _WALK, argument, timeout=WALK_SECONDS)
    return supplement(runtime_surface(environment.library, environment.version, walked), environment.site_packages)


def _key(environment: Environment, companions: Sequence[str], prepare: str) -> str:
    readers = [modules_hash(*_READERS), source_hash(_WALK)]
    return f"{environment.lock}-{content_hash([*readers, *sorted(companions), prepare], length=8)}"

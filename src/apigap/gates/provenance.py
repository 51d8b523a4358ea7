"""Entries of manifests: what decides a verdict, and what a file of one release was made from."""

import platform

from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.records.base import Json
from apigap.records.configuration import ExecutionSettings, Settings
from apigap.records.target import Target
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment


def execution_in_force(execution: ExecutionSettings, engine: Engine) -> dict[str, Json]:
    """Limits and isolation: what else decides a verdict. Where, and how many at a time, does not."""
    elsewhere = {"workers", "cache", "build_sdists", "engine", "address", "gpus"}
    limits = execution.model_dump(mode="json", exclude=elsewhere)
    return {**limits, "isolation": engine.profile.model_dump(mode="json")}


def release_in_force(
    target: Target, new: Environment, old: Environment | None, settings: Settings, engine: Engine
) -> dict[str, Json]:
    """The releases, their environments, and what decides a verdict on anything that runs there.

    `resolved today` names the releases whose dependencies are not those of their time, `own wheels` the files that came
    from a folder of this machine, by the release, with their sha256; each is there only with some.
    """
    of_today: list[Json] = [home.version for home in (old, new) if home is not None and home.resolved == "today"]
    return {
        **({"resolved today": of_today} if of_today else {}),
        "library": target.library,
        "old_version": target.old,
        "new_version": target.new,
        "environments": {"new": new.lock, "old": old.lock if old else None},
        **_pythons(new, old),
        **_own_wheels(new, old),
        "evaluator": evaluator_hash(),
        "execution": execution_in_force(settings.execution, engine),
    }


def _pythons(new: Environment, old: Environment | None) -> dict[str, Json]:
    """The interpreters of both releases, where one is not that of apigap itself: without this entry they were."""
    told = {"new": new.python_version, "old": old.python_version if old else None}
    return {"pythons": told} if {*told.values()} - {platform.python_version(), None} else {}


def _own_wheels(new: Environment, old: Environment | None) -> dict[str, Json]:
    told: dict[str, Json] = {home.version: {**home.wheels} for home in (old, new) if home is not None and home.wheels}
    return {"own wheels": told} if told else {}

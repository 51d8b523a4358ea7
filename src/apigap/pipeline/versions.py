"""Which two releases to compare when the user does not say."""

from datetime import date

from apigap.discovery.versions import newest_before, version_pair
from apigap.execution.index import releases
from apigap.models.registry import find_model, model_names
from apigap.pipeline.stages import Target
from apigap.records.errors import UsageError


def resolve_versions(library: str, old: str | None, new: str | None, model: str | None) -> Target:
    """The target with its versions filled in.

    The new version defaults to the newest stable release that this Python can install, the old one to the newest
    such release before the model's training cutoff.

    Raises:
        UsageError: when the old version is left open and the model has no known cutoff.
    """
    if old is not None and new is not None:
        return Target(library, old, new)
    if old is None:
        before, newest = version_pair(library, _cutoff(model), new)
        return Target(library, before, newest)
    newest = newest_before(releases(library), None)
    if newest is None:
        raise UsageError(f"{library} has no stable release for this Python on the package index; give --to")
    return Target(library, old, newest)


def _cutoff(model: str | None) -> date:
    name = (model or "").removeprefix("gguf/")
    found = find_model(name).cutoff if name in model_names() else None
    if found is None:
        raise UsageError(
            f"the training cutoff of {model or 'the model'} is not known, so the old version cannot be chosen; "
            "give it with --from"
        )
    return found
